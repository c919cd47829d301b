import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("29 5 * * ? *") }, async () => ({ job: 1229 }));
