import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("49 1 * * ? *") }, async () => ({ job: 769 }));
