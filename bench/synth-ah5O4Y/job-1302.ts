import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("42 6 * * ? *") }, async () => ({ job: 1302 }));
