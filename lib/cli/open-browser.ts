import { printAside } from "./output.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Opens the link in this machine's browser; where there is none to open, it says why. The link is printed in any case. */
export async function openBrowser(link: string): Promise<void> {
  const obstacle = whyNoBrowser(process.env, process.platform) ?? (await failureOf(link));
  if (obstacle) printAside(`--open: no browser is opened, since ${obstacle}; open the link yourself.`);
}

/** An SSH session's browser would be at the other end of it; Linux has none without a display, but for WSL. */
export function whyNoBrowser(environment: Environment, platform: NodeJS.Platform): string | undefined {
  const has = (...names: string[]) => names.some((name) => (environment[name] ?? "") !== "");
  if (has("SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY")) return "this is an SSH session";
  const needsDisplay = platform === "linux" && !has("WSL_DISTRO_NAME");
  return needsDisplay && !has("DISPLAY", "WAYLAND_DISPLAY") ? "there is no display here" : undefined;
}

async function failureOf(link: string): Promise<string | undefined> {
  const { default: open } = await import("open");
  try {
    await open(link);
    return undefined;
  } catch (error) {
    return `it failed: ${error instanceof Error ? error.message : error}`;
  }
}
