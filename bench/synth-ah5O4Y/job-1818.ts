import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("18 18 * * ? *") }, async () => ({ job: 1818 }));
