import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("22 10 * * ? *") }, async () => ({ job: 1762 }));
