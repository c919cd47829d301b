import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("0 0 * * ? *") }, async () => ({ job: 720 }));
