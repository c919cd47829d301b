import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("53 5 * * ? *") }, async () => ({ job: 1373 }));
