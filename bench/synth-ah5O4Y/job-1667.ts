import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("47 11 * * ? *") }, async () => ({ job: 1667 }));
