import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("20 20 * * ? *") }, async () => ({ job: 260 }));
