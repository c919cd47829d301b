import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("31 7 * * ? *") }, async () => ({ job: 1591 }));
