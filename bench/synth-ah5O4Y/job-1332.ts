import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("12 12 * * ? *") }, async () => ({ job: 1332 }));
