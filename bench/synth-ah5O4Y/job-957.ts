import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("57 21 * * ? *") }, async () => ({ job: 957 }));
