import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("24 12 * * ? *") }, async () => ({ job: 1404 }));
