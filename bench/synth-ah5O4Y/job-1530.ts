import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("30 18 * * ? *") }, async () => ({ job: 1530 }));
