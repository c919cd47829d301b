import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("34 22 * * ? *") }, async () => ({ job: 1414 }));
