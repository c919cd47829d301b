import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("5 17 * * ? *") }, async () => ({ job: 425 }));
