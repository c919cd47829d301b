import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("32 8 * * ? *") }, async () => ({ job: 32 }));
