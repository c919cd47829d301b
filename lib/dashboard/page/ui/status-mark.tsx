import type { VNode } from "preact";
import type { JobState, RunView } from "../../../operations/index.ts";

/** What a mark can stand for: a run's status, a job's state, or an occurrence without a run. */
export type Mark = RunView["status"] | JobState | "missed" | "warning";

const AT_WORK: VNode = (
  <>
    <circle class="line faint" cx="8" cy="8" r="6.200" />
    <path class="line turning" d="M8 1.800A6.200 6.200 0 0 1 14.200 8" />
  </>
);

const WARNING: VNode = (
  <>
    <path class="line" d="M8 1.800 15 14H1z" />
    <path class="line" d="M8 6.200v3.600M8 12v.1" />
  </>
);

/** One shape for each, so that colour is never all that tells them apart. All are drawn in a square of 16. */
const SHAPES: Readonly<Record<Mark, VNode>> = {
  SUCCEEDED: (
    <>
      <circle class="solid" cx="8" cy="8" r="7" />
      <path class="on" d="m5 8.200 2.100 2.100L11.200 6" />
    </>
  ),
  FAILED: (
    <>
      <path class="solid" d="M5.100 1h5.800L15 5.100v5.800L10.900 15H5.100L1 10.900V5.100z" />
      <path class="on" d="m5.700 5.700 4.600 4.600m0-4.600-4.600 4.600" />
    </>
  ),
  TIMED_OUT: (
    <>
      <circle class="line" cx="8" cy="8" r="6.200" />
      <path class="line" d="M8 4.500V8l2.500 1.600" />
    </>
  ),
  LOST: (
    <>
      <path class="solid" d="M8 .6 15.400 8 8 15.400.6 8z" />
      <path class="on" d="M6.400 6.500A1.700 1.700 0 1 1 8 8.600v.5M8 11.300v.1" />
    </>
  ),
  CANCELLED: (
    <>
      <circle class="line" cx="8" cy="8" r="6.200" />
      <path class="line" d="m3.800 12.200 8.400-8.400" />
    </>
  ),
  WAITING: <path class="line" d="M4 2h8M4 14h8M5 2c0 4 6 4 6 8v4M11 2c0 4-6 4-6 8v4" />,
  SKIPPED: <path class="line" d="M2.500 4 7 8l-4.500 4M8.500 4 13 8l-4.500 4" />,
  RUNNING: AT_WORK,
  running: AT_WORK,
  idle: <circle class="line" cx="8" cy="8" r="4" />,
  interrupted: (
    <path
      class="line"
      d="M8 1.800A6.200 6.200 0 0 1 8 14.200M8 14.200A6.200 6.200 0 0 1 3 11.600M1.800 8A6.200 6.200 0 0 1 3 4.400"
    />
  ),
  paused: <path class="thick" d="M5 3v10M11 3v10" />,
  disabled: <path class="line" d="M4 4h8v8H4z" />,
  removed: <path class="line" d="m4 4 8 8m0-8-8 8" />,
  unreadable: WARNING,
  missed: (
    <>
      <circle class="line dashed" cx="8" cy="8" r="6.200" />
      <path class="line" d="M8 4.500V9M8 11.400v.1" />
    </>
  ),
  warning: WARNING,
};

/** A small shape; the word stands beside it, or in `label`. */
export function StatusMark({ mark, label }: { mark: Mark; label?: string }) {
  const name = `mark is-${mark.toLowerCase().replace("_", "-")}`;
  return (
    <svg
      class={name}
      viewBox="0 0 16 16"
      width="14"
      height="14"
      role="img"
      aria-label={label}
      aria-hidden={label === undefined}
    >
      {SHAPES[mark]}
    </svg>
  );
}
