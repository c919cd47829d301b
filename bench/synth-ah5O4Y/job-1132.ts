import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("52 4 * * ? *") }, async () => ({ job: 1132 }));
