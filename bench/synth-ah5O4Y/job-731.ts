import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("11 11 * * ? *") }, async () => ({ job: 731 }));
