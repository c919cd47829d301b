import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("50 14 * * ? *") }, async () => ({ job: 1190 }));
