import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("15 3 * * ? *") }, async () => ({ job: 1155 }));
