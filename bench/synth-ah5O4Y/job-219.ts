import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("39 3 * * ? *") }, async () => ({ job: 219 }));
