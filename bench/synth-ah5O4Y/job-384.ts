import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("24 0 * * ? *") }, async () => ({ job: 384 }));
