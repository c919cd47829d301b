import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("14 2 * * ? *") }, async () => ({ job: 434 }));
