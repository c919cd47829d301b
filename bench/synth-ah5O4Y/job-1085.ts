import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("5 5 * * ? *") }, async () => ({ job: 1085 }));
