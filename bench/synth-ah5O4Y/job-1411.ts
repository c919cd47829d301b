import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("31 19 * * ? *") }, async () => ({ job: 1411 }));
