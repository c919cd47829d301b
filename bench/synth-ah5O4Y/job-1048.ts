import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("28 16 * * ? *") }, async () => ({ job: 1048 }));
