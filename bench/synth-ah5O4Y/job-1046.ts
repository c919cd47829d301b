import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("26 14 * * ? *") }, async () => ({ job: 1046 }));
