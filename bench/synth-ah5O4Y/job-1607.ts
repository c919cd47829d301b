import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("47 23 * * ? *") }, async () => ({ job: 1607 }));
