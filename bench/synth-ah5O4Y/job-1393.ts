import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("13 1 * * ? *") }, async () => ({ job: 1393 }));
