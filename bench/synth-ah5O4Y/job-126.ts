import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("6 6 * * ? *") }, async () => ({ job: 126 }));
