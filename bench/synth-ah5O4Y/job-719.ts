import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("59 23 * * ? *") }, async () => ({ job: 719 }));
