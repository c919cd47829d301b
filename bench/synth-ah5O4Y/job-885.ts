import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("45 21 * * ? *") }, async () => ({ job: 885 }));
