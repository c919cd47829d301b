import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Command } from "commander";
import type { Operations } from "../operations/index.ts";
import { signInLink } from "./dashboard-link.ts";
import type { DashboardDocument } from "./documents.ts";
import { openBrowser } from "./open-browser.ts";
import { addCommonOptions, type CommonOptions, wholeNumber } from "./options.ts";
import { paint, printAside, printFields, printJson, printLine } from "./output.ts";
import { connect, targetText } from "./with-operations.ts";

interface DashboardOptions extends CommonOptions {
  port?: number;
  readOnly?: true;
  open?: true;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export function addDashboardCommand(program: Command): void {
  const command = program
    .command("dashboard")
    .description("serve the dashboard of a stack, or of the local runner's folder, on this machine")
    .option("--read-only", "refuse everything that changes something")
    .option("--open", "open it in the browser")
    .option("--port <number>", "where it is served (default: any free port)", wholeNumber(65_535));
  addCommonOptions(command).action(dashboard);
}

async function dashboard(options: DashboardOptions): Promise<void> {
  const operations = await connect(options);
  try {
    const { target } = operations;
    if (target.kind === "local" && target.url !== undefined) await showRunners(options, operations, target.url);
    else await serve(options, operations);
  } finally {
    await operations.close();
  }
}

/** A runner serves its own dashboard. */
async function showRunners(
  { stateDir, json, open }: DashboardOptions,
  { target }: Operations,
  url: string,
): Promise<void> {
  const { findRunner } = await import("../local/index.ts");
  const link = signInLink(url, (await findRunner(stateDir))?.token ?? "");
  if (json) printJson<DashboardDocument>({ target, dashboard: link });
  else printFields({ "The runner serves it": link });
  if (open) await openBrowser(link);
}

async function serve({ port = 0, readOnly, json, open }: DashboardOptions, operations: Operations): Promise<void> {
  const { dashboardApp } = await import("../dashboard/index.ts");
  const { listen } = await import("../local/index.ts");
  const token = randomBytes(32).toString("base64url");
  const server = createServer();
  const url = await listen(server, port, "--port");
  // With no runner running the folder's records can be looked at, as they were left.
  const app = dashboardApp({ operations, url, token, readOnly: readOnly ?? !operations.target.running });
  server.on("request", getRequestListener(app.fetch));

  const link = signInLink(url, token);
  if (json) printJson<DashboardDocument>({ target: operations.target, dashboard: link });
  else {
    printLine(paint.dim(targetText(operations.target)));
    printFields({ Dashboard: link });
    printLine("Ctrl-C stops.");
  }
  if (open) await openBrowser(link);
  await new Promise<void>((resolve) => {
    for (const signal of SIGNALS) process.once(signal, resolve);
  });
  server.close();
  server.closeAllConnections();
  (json ? printAside : printLine)("Stopped.");
}
