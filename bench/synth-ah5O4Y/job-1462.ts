import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("22 22 * * ? *") }, async () => ({ job: 1462 }));
