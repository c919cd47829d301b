import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("20 8 * * ? *") }, async () => ({ job: 1160 }));
