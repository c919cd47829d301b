import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("35 11 * * ? *") }, async () => ({ job: 1355 }));
