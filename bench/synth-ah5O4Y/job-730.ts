import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("10 10 * * ? *") }, async () => ({ job: 730 }));
