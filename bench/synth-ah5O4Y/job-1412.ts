import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("32 20 * * ? *") }, async () => ({ job: 1412 }));
