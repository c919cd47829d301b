import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("6 18 * * ? *") }, async () => ({ job: 1986 }));
