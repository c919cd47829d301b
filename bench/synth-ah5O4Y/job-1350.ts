import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("30 6 * * ? *") }, async () => ({ job: 1350 }));
