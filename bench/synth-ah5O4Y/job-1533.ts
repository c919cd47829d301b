import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("33 21 * * ? *") }, async () => ({ job: 1533 }));
