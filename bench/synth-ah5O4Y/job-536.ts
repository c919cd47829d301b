import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("56 8 * * ? *") }, async () => ({ job: 536 }));
