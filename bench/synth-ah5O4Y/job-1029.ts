import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("9 21 * * ? *") }, async () => ({ job: 1029 }));
