import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("51 3 * * ? *") }, async () => ({ job: 1011 }));
