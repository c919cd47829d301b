import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("59 11 * * ? *") }, async () => ({ job: 659 }));
