import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("16 4 * * ? *") }, async () => ({ job: 436 }));
