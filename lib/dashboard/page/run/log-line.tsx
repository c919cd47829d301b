import { timeOfDay } from "../format/instant.ts";
import type { LogParts } from "../format/log-line.ts";
import { memo } from "../ui/memo.ts";

/** One line that a run printed: a structured one taken apart, any other as it is. */
export const LogLineView = memo(({ parts }: { parts: LogParts }) => {
  const time = parts.at;
  const level = parts.level ?? "";
  return (
    <div class={`log-line is-${level.toLowerCase()}`}>
      <span class="log-time">{time !== undefined && !Number.isNaN(Date.parse(time)) ? timeOfDay(time) : ""}</span>
      <span class="log-level">{level === "INFO" ? "" : level}</span>
      <span class="log-text">
        {parts.message}
        {parts.fields.map(([name, value]) => (
          <span class="log-field" key={name}>
            {" "}
            <span class="quiet">{name}=</span>
            {value}
          </span>
        ))}
        {parts.stack !== undefined && <span class="log-stack">{parts.stack}</span>}
      </span>
    </div>
  );
});
