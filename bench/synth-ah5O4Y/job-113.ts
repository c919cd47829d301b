import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("53 17 * * ? *") }, async () => ({ job: 113 }));
