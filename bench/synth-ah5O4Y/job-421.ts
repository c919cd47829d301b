import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("1 13 * * ? *") }, async () => ({ job: 421 }));
