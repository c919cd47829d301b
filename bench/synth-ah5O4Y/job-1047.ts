import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("27 15 * * ? *") }, async () => ({ job: 1047 }));
