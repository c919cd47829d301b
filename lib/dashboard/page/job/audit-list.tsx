import type { AuditView } from "../../../operations/index.ts";
import { Section } from "../ui/facts.tsx";
import { When } from "../ui/when.tsx";

/** What operators did: who, when, why. */
export function AuditList({ audit }: { audit: readonly AuditView[] }) {
  return (
    <Section title="What operators did">
      {audit.length === 0 && <p class="quiet">Nothing yet.</p>}
      <ol class="audit">
        {audit.map(({ at, action, by, reason, detail, until }) => (
          <li key={`${at} ${action}`}>
            <div>
              <b>{action}</b> by {by}{" "}
              <span class="quiet">
                · <When at={at} />
              </span>
            </div>
            {reason && <div>“{reason}”</div>}
            {detail && <div class="quiet breakable">{detail}</div>}
            {until && (
              <div class="quiet">
                until <When at={until} />
              </div>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}
