import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("13 13 * * ? *") }, async () => ({ job: 373 }));
