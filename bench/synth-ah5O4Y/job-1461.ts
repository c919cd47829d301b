import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("21 21 * * ? *") }, async () => ({ job: 1461 }));
