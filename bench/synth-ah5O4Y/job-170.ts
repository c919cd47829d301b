import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("50 2 * * ? *") }, async () => ({ job: 170 }));
