import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("42 18 * * ? *") }, async () => ({ job: 282 }));
