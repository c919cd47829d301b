import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("57 9 * * ? *") }, async () => ({ job: 177 }));
