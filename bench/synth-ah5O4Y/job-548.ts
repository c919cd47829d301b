import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("8 20 * * ? *") }, async () => ({ job: 548 }));
