import { expect, test } from "vitest";
import { whyNoBrowser } from "../../lib/cli/open-browser.ts";

const SSH = "this is an SSH session";
const NO_DISPLAY = "there is no display here";

test.each([
  ["linux", { DISPLAY: ":0" }, undefined],
  ["linux", { WAYLAND_DISPLAY: "wayland-0" }, undefined],
  ["linux", {}, NO_DISPLAY],
  ["linux", { DISPLAY: "" }, NO_DISPLAY],
  // Windows' browser is there for WSL, without a display.
  ["linux", { WSL_DISTRO_NAME: "Ubuntu" }, undefined],
  // With its windows forwarded, too: 127.0.0.1 is another machine for who sits there.
  ["linux", { DISPLAY: "localhost:10.0", SSH_CONNECTION: "10.0.0.9 50022 10.0.0.1 22" }, SSH],
  ["darwin", {}, undefined],
  ["darwin", { SSH_TTY: "/dev/ttys001" }, SSH],
] as const)("on %s with %j no browser is opened since: %s", (platform, environment, why) => {
  expect(whyNoBrowser(environment, platform)).toBe(why);
});
