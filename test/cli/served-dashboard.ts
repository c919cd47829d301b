import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "./escapement.ts";

/** Starts `escapement dashboard`, and waits until it has printed its link. */
export async function startDashboard(...args: string[]) {
  const program = ["--import", import.meta.resolve("tsx"), join(root, "bin/escapement.ts"), "dashboard", ...args];
  const child = spawn(process.execPath, program, { cwd: root });
  const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [url, token] = await new Promise<[string, string]>((resolve, reject) => {
    let printed = "";
    for (const output of [child.stdout, child.stderr]) {
      output.on("data", (text) => {
        printed += text;
        const [, at, secret] = /Dashboard +(http:\S+)\/\?token=(\S+)\n/.exec(printed) ?? [];
        if (at && secret) resolve([at, secret]);
      });
    }
    child.once("close", () => reject(new Error(`it ended, and said: ${printed}`)));
  });
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  return {
    get: (path: string) => fetch(url + path, { headers }),
    post: (path: string, body: unknown) => fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) }),
    /** As Ctrl-C does. */
    stop() {
      child.kill("SIGINT");
      return exited;
    },
  };
}
