import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("15 15 * * ? *") }, async () => ({ job: 1815 }));
