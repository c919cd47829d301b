import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("48 0 * * ? *") }, async () => ({ job: 1848 }));
