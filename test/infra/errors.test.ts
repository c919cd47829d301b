import { execFile } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

test("what a job file threw neither steers the terminal nor forges lines", async () => {
  const script = join(import.meta.dirname, "../../lib/infra/errors.ts");
  const app = `
    import { exitWithError, SynthError } from ${JSON.stringify(script)};
    exitWithError(new SynthError("functions/a.ts: it threw \\u001b[2Jgone\\rforged on import.\\n\\nfunctions/b.ts: too"));`;
  const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((done) =>
    execFile(
      process.execPath,
      ["--import", "tsx", "--conditions=escapement-source", "--input-type=module", "--eval", app],
      (error, _stdout, stderr) => done({ code: error?.code, stderr }),
    ),
  );
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: "\nfunctions/a.ts: it threw \\x1b[2Jgone\\x0dforged on import.\n\nfunctions/b.ts: too\n\n",
  });
});
