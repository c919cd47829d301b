import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("11 23 * * ? *") }, async () => ({ job: 1991 }));
