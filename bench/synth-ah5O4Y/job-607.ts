import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("7 7 * * ? *") }, async () => ({ job: 607 }));
