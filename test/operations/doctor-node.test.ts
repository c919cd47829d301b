import { expect, test } from "vitest";
import { nodeFinding } from "../../lib/operations/doctor.ts";

test("a Node that Escapement is made for is fine", () => {
  expect(nodeFinding("22.0.0")).toEqual({ check: "Node", level: "ok", message: "22.0.0" });
});

test("an older one is warned of, with what to do", () => {
  expect(nodeFinding("21.7.3")).toEqual({
    check: "Node",
    level: "warning",
    message: "21.7.3 is older than 22, the oldest that Escapement is made for",
    advice: "Install Node 22 or 24, then run npm install again.",
  });
});
