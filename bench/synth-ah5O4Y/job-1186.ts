import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("46 10 * * ? *") }, async () => ({ job: 1186 }));
