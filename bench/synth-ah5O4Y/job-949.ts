import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("49 13 * * ? *") }, async () => ({ job: 949 }));
