import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("26 2 * * ? *") }, async () => ({ job: 266 }));
