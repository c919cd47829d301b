import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("40 16 * * ? *") }, async () => ({ job: 880 }));
