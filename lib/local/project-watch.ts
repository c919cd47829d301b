import { relative, resolve, sep } from "node:path";
import { watch } from "chokidar";

/** An editor writes a file in several steps, and a checkout writes many. */
const QUIET_MS = 150;
/** What is no source: it changes by itself, or in its thousands. */
const NO_SOURCE = /(^|\/)(node_modules|\.git|cdk\.out[^/]*|dist|coverage|docs|test)(\/|$)/;

/**
 * Tells that a file of this project has changed, once for changes that come together. Node's own `fs.watch` would do,
 * were it able to leave out `node_modules` on Linux.
 *
 * @param stateDir the runner's own folder, which it writes all the time
 * @returns ends it
 */
export function watchProject(stateDir: string, changed: () => void): () => Promise<void> {
  const root = resolve(".");
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(root, {
    ignoreInitial: true,
    ignored: (path) => `${path}${sep}`.startsWith(`${stateDir}${sep}`) || NO_SOURCE.test(relative(root, path)),
  });
  watcher.on("all", () => {
    clearTimeout(timer);
    timer = setTimeout(changed, QUIET_MS);
  });
  // A folder that cannot be watched is one less; the others are.
  watcher.on("error", () => {});
  return () => {
    clearTimeout(timer);
    return watcher.close();
  };
}
