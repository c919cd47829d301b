import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("29 17 * * ? *") }, async () => ({ job: 809 }));
