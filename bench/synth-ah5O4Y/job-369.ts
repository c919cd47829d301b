import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("9 9 * * ? *") }, async () => ({ job: 369 }));
