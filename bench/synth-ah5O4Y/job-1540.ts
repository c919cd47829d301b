import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("40 4 * * ? *") }, async () => ({ job: 1540 }));
