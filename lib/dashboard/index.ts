export type { DashboardEvent, Worker } from "./api.ts";
export { type DashboardOptions, dashboardApp } from "./server/app.ts";
export type { RunnerNews, RunnerSide } from "./server/runner-side.ts";
