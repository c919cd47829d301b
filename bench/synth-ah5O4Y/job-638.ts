import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("38 14 * * ? *") }, async () => ({ job: 638 }));
