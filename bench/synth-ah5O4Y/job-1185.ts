import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("45 9 * * ? *") }, async () => ({ job: 1185 }));
