import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("58 22 * * ? *") }, async () => ({ job: 118 }));
