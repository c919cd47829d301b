import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("37 1 * * ? *") }, async () => ({ job: 1777 }));
