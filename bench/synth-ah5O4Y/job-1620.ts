import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("0 12 * * ? *") }, async () => ({ job: 1620 }));
