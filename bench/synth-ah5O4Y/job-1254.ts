import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("54 6 * * ? *") }, async () => ({ job: 1254 }));
