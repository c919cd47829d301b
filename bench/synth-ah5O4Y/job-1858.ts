import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("58 10 * * ? *") }, async () => ({ job: 1858 }));
