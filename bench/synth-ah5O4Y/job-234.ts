import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("54 18 * * ? *") }, async () => ({ job: 234 }));
