import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("37 13 * * ? *") }, async () => ({ job: 1957 }));
