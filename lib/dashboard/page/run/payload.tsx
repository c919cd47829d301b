import type { RunView } from "../../../operations/index.ts";
import { bytesText } from "../format/duration.ts";
import { Section } from "../ui/facts.tsx";
import { prettyJson } from "./pretty-json.ts";

/** A run's input or result: whole where the job stores it, else its size and hash. */
export function PayloadSection({ title, payload }: { title: string; payload: RunView["input"] }) {
  if (!payload) return null;
  return (
    <Section title={title} aside={<span class="quiet">{bytesText(payload.bytes)}</span>}>
      {payload.json === undefined ? (
        <p class="quiet">
          Not stored: the job's <code>store</code> option says so. SHA-256 <code class="breakable">{payload.hash}</code>
        </p>
      ) : (
        <pre class="code">{prettyJson(payload.json)}</pre>
      )}
    </Section>
  );
}
