import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("44 20 * * ? *") }, async () => ({ job: 1004 }));
