import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("28 4 * * ? *") }, async () => ({ job: 1948 }));
