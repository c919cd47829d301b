import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("25 1 * * ? *") }, async () => ({ job: 1345 }));
