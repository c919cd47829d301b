import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("44 8 * * ? *") }, async () => ({ job: 344 }));
