import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("4 4 * * ? *") }, async () => ({ job: 604 }));
