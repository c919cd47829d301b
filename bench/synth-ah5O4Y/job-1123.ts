import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("43 19 * * ? *") }, async () => ({ job: 1123 }));
