import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("17 17 * * ? *") }, async () => ({ job: 1577 }));
