import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("8 8 * * ? *") }, async () => ({ job: 1928 }));
