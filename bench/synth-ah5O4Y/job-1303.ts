import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("43 7 * * ? *") }, async () => ({ job: 1303 }));
