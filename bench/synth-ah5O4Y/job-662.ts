import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("2 14 * * ? *") }, async () => ({ job: 662 }));
