import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("21 9 * * ? *") }, async () => ({ job: 1521 }));
