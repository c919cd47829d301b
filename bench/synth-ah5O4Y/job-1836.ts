import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("36 12 * * ? *") }, async () => ({ job: 1836 }));
