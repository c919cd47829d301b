import { consoleLink } from "./console-link.ts";

/** Where an attempt's log is: a file here, a page of the AWS console for a stack. */
export function LogPlace({ log, isStack }: { log: string | undefined; isStack: boolean }) {
  if (log === undefined) return null;
  const link = isStack ? consoleLink(log) : undefined;
  if (link !== undefined) {
    return (
      <a href={link} target="_blank" rel="noreferrer">
        CloudWatch Logs ↗
      </a>
    );
  }
  return (
    <span>
      log <code class="breakable">{log}</code>
    </span>
  );
}
