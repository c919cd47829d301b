import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("35 23 * * ? *") }, async () => ({ job: 1655 }));
