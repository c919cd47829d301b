import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("2 2 * * ? *") }, async () => ({ job: 1082 }));
