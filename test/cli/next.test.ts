import { describe, expect, test } from "vitest";
import { escapement } from "./escapement.ts";

describe("next EXPRESSION", () => {
  test("prints one JSON document with the occurrences in UTC and in the zone", async () => {
    const { code, stdout, stderr } = await escapement([
      "next",
      "cron(30 2 * * ? *)",
      ...["--time-zone", "Europe/Berlin", "--from", "2026-03-28T00:00:00Z", "--count", "2", "--json"],
    ]);

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      occurrences: [
        { at: "2026-03-28T01:30:00Z", local: "2026-03-28T02:30:00+01:00" },
        {
          at: "2026-03-30T00:30:00Z",
          local: "2026-03-30T02:30:00+02:00",
          note: "02:30 is skipped on 29 March 2026 (clock change)",
        },
      ],
      description: expect.stringContaining("Europe/Berlin"),
      warnings: expect.any(Array),
    });
  });

  test.each(["America/Los_Angeles", "Asia/Kolkata"])(
    "is UTC by default, also on a machine in %s (TZ-15)",
    async (TZ) => {
      const args = ["next", "cron(0 12 * * ? *)", "--from", "2026-05-01T11:59:30Z", "--count", "1"];
      const { code, stdout } = await escapement(args, { env: { TZ } });

      expect(code).toBe(0);
      expect(stdout.split("\n").slice(1, 3)).toEqual([
        "UTC                          Local",
        "Fri 2026-05-01 12:00:00 UTC  Fri 2026-05-01 12:00:00 +00:00",
      ]);
    },
  );

  test("gives the weekday's name, so that 7 is seen to be Saturday (CG-08)", async () => {
    const { stdout } = await escapement([
      "next",
      "cron(45 5 ? * 7 *)",
      "--from",
      "2026-01-01T00:00:00Z",
      "--count",
      "1",
    ]);

    expect(stdout).toContain("Sat 2026-01-03 05:45:00 UTC");
  });

  test("says it when there is none (CG-14)", async () => {
    const { code, stdout, stderr } = await escapement(["next", "cron(0 0 30 2 ? *)"]);

    expect(code).toBe(0);
    expect(stdout).toContain("No further occurrence.");
    expect(stderr).toMatch(/^warning: /);
  });

  test("warns on stderr of a step that is no interval (CG-13)", async () => {
    const { code, stdout, stderr } = await escapement(["next", "cron(0/45 * * * ? *)", "--count", "2"]);

    expect(code).toBe(0);
    expect(stderr).toMatch(/^warning: .*\([A-Z_]+\)\n/);
    expect(stdout).not.toContain("warning");
  });
});

describe("invalid input ends with 2, says why on stderr and prints nothing on stdout:", () => {
  test.each([
    [["next", "cron(0 12 * * ?)"], /5 fields.*six/],
    [["next", "cron(7 20 * * 1-7 *)"], /\?/],
    [["next", "rate(10 seconds)"], /seconds/],
    [["next", "0 12 * * ? *"], /cron\(0 12 \* \* \? \*\)/],
    [["next", "cron(0 12 * * ? *)", "--time-zone", "Europe/Berln"], /Europe\/Berlin/],
    [["next", "cron(0 12 * * ? *)", "--from", "2026-03-28T00:00:00"], /from .* Z or an offset/],
    [["next", "cron(0 12 * * ? *)", "--count", "0"], /1 to 1000/],
    [["next", "cron(0 12 * * ? *)", "--cout", "2"], /Did you mean --count/],
    [["nxt", "cron(0 12 * * ? *)"], /Did you mean next/],
    [["next"], /missing required argument/],
    [[], /Usage: escapement/],
  ])("%j", async (args, reason) => {
    const { code, stdout, stderr } = await escapement([...args, ...(args.length > 1 ? ["--json"] : [])]);

    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(reason);
    expect(stderr).not.toMatch(/^\s+at /m); // a line of a stack trace
  });
});
