import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("3 3 * * ? *") }, async () => ({ job: 1683 }));
