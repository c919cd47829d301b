import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("56 20 * * ? *") }, async () => ({ job: 1796 }));
