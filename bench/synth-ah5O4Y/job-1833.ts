import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("33 9 * * ? *") }, async () => ({ job: 1833 }));
