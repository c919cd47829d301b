import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("7 19 * * ? *") }, async () => ({ job: 547 }));
