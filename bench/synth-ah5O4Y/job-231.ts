import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("51 15 * * ? *") }, async () => ({ job: 231 }));
