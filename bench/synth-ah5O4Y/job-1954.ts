import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("34 10 * * ? *") }, async () => ({ job: 1954 }));
