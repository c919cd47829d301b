import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("18 6 * * ? *") }, async () => ({ job: 318 }));
