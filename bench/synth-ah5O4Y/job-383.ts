import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("23 23 * * ? *") }, async () => ({ job: 383 }));
