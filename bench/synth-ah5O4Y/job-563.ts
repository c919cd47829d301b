import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("23 11 * * ? *") }, async () => ({ job: 563 }));
