import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("25 13 * * ? *") }, async () => ({ job: 1645 }));
