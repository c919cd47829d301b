import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("4 16 * * ? *") }, async () => ({ job: 904 }));
