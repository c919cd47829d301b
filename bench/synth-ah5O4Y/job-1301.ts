import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("41 5 * * ? *") }, async () => ({ job: 1301 }));
