/** As Go, in which Lambda's own part is written, calls the signals by which a process of Node ends; others by their names. */
const SIGNALS: Readonly<Partial<Record<NodeJS.Signals, string>>> = {
  SIGABRT: "aborted",
  SIGKILL: "killed",
  SIGSEGV: "segmentation fault",
  SIGTERM: "terminated",
};

/** V8 says so on stderr, and aborts. */
const outOfHeap = /^FATAL ERROR: .*JavaScript heap out of memory/;

export function saysOutOfHeap(line: string): boolean {
  return outOfHeap.test(line);
}

/**
 * How a process has ended, in Lambda's words.
 *
 * @param ranOutOfHeap by the heap's limit or by that of all memory, whichever is seen first: the answer is the same
 */
export function exitWords(code: number | null, signal: NodeJS.Signals | null, ranOutOfHeap: boolean): string {
  if (!signal) return `exit status ${code}`;
  return `signal: ${ranOutOfHeap ? "killed" : (SIGNALS[signal] ?? signal)}`;
}
