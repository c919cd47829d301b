import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("48 12 * * ? *") }, async () => ({ job: 1188 }));
