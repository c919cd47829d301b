import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("46 22 * * ? *") }, async () => ({ job: 886 }));
