import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("19 7 * * ? *") }, async () => ({ job: 1519 }));
