import { vi } from "vitest";
import { createProgram } from "../../lib/cli/program.ts";
import { reportError } from "../../lib/cli/report-error.ts";

/** What the command `next` prints of an expression, and the code it ends with. In this process: tests call it by the dozen. */
export async function nextOf(spec: { expression: string; timeZone: string }, fromIso: string, count: number) {
  const printed = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((stream) =>
    vi.spyOn(process[stream], "write").mockImplementation((text) => {
      printed[stream] += text;
      return true;
    }),
  );
  const range = ["--from", fromIso, "--count", String(count)];
  const code = await createProgram()
    .parseAsync(["next", spec.expression, "--time-zone", spec.timeZone, ...range, "--json"], { from: "user" })
    .then(() => 0, reportError);
  for (const spy of spies) spy.mockRestore();
  return { code, ...printed };
}
