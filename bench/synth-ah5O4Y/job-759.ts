import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("39 15 * * ? *") }, async () => ({ job: 759 }));
