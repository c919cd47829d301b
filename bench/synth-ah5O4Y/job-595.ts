import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("55 19 * * ? *") }, async () => ({ job: 595 }));
