import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("36 0 * * ? *") }, async () => ({ job: 1656 }));
