import { type ChildProcess, spawn } from "node:child_process";

/**
 * Reads process groups ("+12" begins, "-12" has ended) until its input closes, which the system does when the runner
 * ends in whatever way, and kills those that are left. SIGKILL reaches stopped and busy processes too.
 */
const script = `
trap '' INT TERM HUP
groups=' '
while read -r line; do
  group=\${line#?}
  case $line in
    +*) groups="$groups$group " ;;
    -*) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
for group in $groups; do kill -9 "-$group" 2>/dev/null; done
`;

/** Ends every child process that it was told of, once this process has ended: by `kill -9` too. */
export class Keeper {
  readonly #shell: ChildProcess;

  constructor() {
    // A group of its own, so that Ctrl-C in the terminal does not reach it.
    this.#shell = spawn("/bin/sh", ["-c", script], { stdio: ["pipe", "ignore", "ignore"], detached: true, env: {} });
    // A keeper that somebody ended must not end the runner; its children are still ended on the ordinary ways.
    this.#shell.stdin?.on("error", () => {});
    this.#shell.on("error", () => {});
  }

  /** Watches over a child that was spawned with `detached: true`, and its own children, until it exits. */
  keep(child: ChildProcess): void {
    this.#shell.stdin?.write(`+${child.pid}\n`);
    child.once("exit", () => this.#shell.stdin?.write(`-${child.pid}\n`));
  }

  /** Ends all that is left. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#shell.exitCode !== null || this.#shell.signalCode !== null) return resolve();
      this.#shell.once("exit", () => resolve());
      this.#shell.stdin?.end();
    });
  }
}

/** Sends a signal to a detached child and all that it started. True when there was something to send it to. */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): boolean {
  try {
    return child.pid !== undefined && process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}
