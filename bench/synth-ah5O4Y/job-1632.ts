import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("12 0 * * ? *") }, async () => ({ job: 1632 }));
