import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("27 3 * * ? *") }, async () => ({ job: 387 }));
