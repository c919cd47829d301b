import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("17 5 * * ? *") }, async () => ({ job: 677 }));
