import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("3 15 * * ? *") }, async () => ({ job: 1983 }));
