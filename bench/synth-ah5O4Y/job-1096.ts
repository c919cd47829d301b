import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("16 16 * * ? *") }, async () => ({ job: 1096 }));
