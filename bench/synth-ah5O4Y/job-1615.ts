import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("55 7 * * ? *") }, async () => ({ job: 1615 }));
