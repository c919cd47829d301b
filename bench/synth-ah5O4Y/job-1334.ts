import { cron, scheduled } from "escapement";
export const handler = scheduled({ schedule: cron("14 14 * * ? *") }, async () => ({ job: 1334 }));
