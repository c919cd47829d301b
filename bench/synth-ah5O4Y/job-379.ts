import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("19 19 * * ? *") }, async () => ({ job: 379 }));
