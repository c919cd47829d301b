import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("10 22 * * ? *") }, async () => ({ job: 310 }));
