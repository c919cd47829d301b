import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("1 1 * * ? *") }, async () => ({ job: 241 }));
