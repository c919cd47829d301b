import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("38 2 * * ? *") }, async () => ({ job: 1538 }));
