import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("52 16 * * ? *") }, async () => ({ job: 232 }));
