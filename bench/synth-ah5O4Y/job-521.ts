import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("41 17 * * ? *") }, async () => ({ job: 521 }));
