import { CATCH_UPS, type CatchUp, OVERLAPS, type Overlap } from "../run/index.ts";
import { parseSchedule, type Schedule, type ScheduleSpec, shortestGapMs, specOf } from "../schedule/index.ts";
import { type Checks, checksFor, durationMs, shown } from "./check.ts";
import type { Duration } from "./duration.ts";
import { JobError } from "./errors.ts";
import { checkedFunction, type FunctionSettings } from "./function-options.ts";
import { DEFAULT_LATENESS, DEFAULTS, type JobOptions, LIMITS } from "./options.ts";

/** A job whose options have been checked, with every default filled in. */
export interface Job {
  readonly name: string;
  /** By schedule name, in the strict form. */
  readonly schedules: Readonly<Record<string, ScheduleSpec>>;
  readonly timeoutMs: number;
  readonly overlap: Overlap;
  readonly queueLength: number;
  readonly catchUp: CatchUp;
  /** By schedule name; counts from the scheduled time plus the schedule's flexible window. */
  readonly maxLatenessMs: Readonly<Record<string, number>>;
  readonly retries: number;
  readonly retentionMs: number;
  readonly deadlineMarginMs: number;
  readonly heartbeatMs?: number;
  /** Absent: not at all. */
  readonly holdAfterTimeoutMs?: number;
  /** Sorted. */
  readonly locks: readonly string[];
  readonly priority: number;
  readonly description?: string;
  readonly store: { readonly input: boolean; readonly result: boolean };
  readonly redact: (value: unknown) => unknown;
  readonly onSkipped?: NonNullable<JobOptions["onSkipped"]>;
  readonly enabled: boolean;
  readonly alarms: boolean;
  /** The jobs of a group share a function. */
  readonly group?: string;
  readonly function: FunctionSettings;
}

const JOB: unique symbol = Symbol.for("escapement.job");
const JOB_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const LOCK_NAME = JOB_NAME;
const SCHEDULE_NAME = /^[A-Za-z0-9_.-]{1,64}$/;
/** Of runs outside the schedules; and keys that a map read from the table never has. */
const RESERVED_NAMES: readonly string[] = ["manual", "constructor", "prototype", "__proto__"];
const GROUP_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;
/** Every option that a job may have. */
export const OPTION_NAMES = [
  "schedule",
  "timeout",
  "overlap",
  "queueLength",
  "catchUp",
  "maxLateness",
  "retries",
  "retention",
  "deadlineMargin",
  "heartbeat",
  "holdAfterTimeout",
  "locks",
  "priority",
  "description",
  "store",
  "redact",
  "onSkipped",
  "enabled",
  "alarms",
  "group",
  "function",
] as const satisfies (keyof JobOptions)[];

/** The options that are code. They stay with the file; all others are data. */
export const CODE_OPTIONS = ["redact", "onSkipped"] as const satisfies (keyof JobOptions)[];
export type CodeOption = (typeof CODE_OPTIONS)[number];

export function withoutCode<T extends object>(options: T): Omit<T, CodeOption> {
  const isData = ([name]: [string, unknown]) => !(CODE_OPTIONS as readonly string[]).includes(name);
  return Object.fromEntries(Object.entries(options).filter(isData)) as Omit<T, CodeOption>;
}

/** Checked options that `scheduledRun` and the stack can read. */
export type JobDefinition = JobOptions & Carrier;

/** What `jobOf` can read. */
export interface Carrier {
  readonly [JOB]: JobOptions;
}

/**
 * Checks a job's options and returns them for `scheduledRun`, for a handler that is composed with other middlewares.
 *
 * @throws {JobError} where an option is unknown or wrong.
 * @example
 * export const job = defineJob({ schedule: rate("5 minutes") });
 * export const handler = middy(fn).use(scheduledRun(job)).use(other());
 */
export function defineJob(options: JobOptions): JobDefinition {
  checked(undefined, options);
  return Object.freeze(carry({ ...options }, options));
}

/** Makes the options readable from what carries them: a definition, or a handler made by `scheduled`. */
export function carry<T extends object>(carrier: T, options: JobOptions): T & Carrier {
  return Object.assign(carrier, { [JOB]: options });
}

/** The options that a handler or a definition carries, or `undefined` where it carries none. */
export function jobOf(handlerOrJob: unknown): JobOptions | undefined {
  return (handlerOrJob as Partial<Carrier> | null | undefined)?.[JOB];
}

/**
 * Checks a job's name and options, and fills in the defaults.
 *
 * @param name 1-64 characters of `A-Z a-z 0-9 _ -`, the first a letter or a digit.
 * @throws {JobError} naming job, field, value and what is allowed.
 */
export function parseJob(name: string, options: JobOptions): Job {
  if (!JOB_NAME.test(name)) {
    const problem = `the name ${shown(name)} is not allowed. Use 1-64 letters, digits, "_" and "-", beginning with a letter or digit.`;
    throw new JobError({ job: name, field: "name", value: name, problem });
  }
  return { name, ...checked(name, options) };
}

function checked(job: string | undefined, options: JobOptions): Omit<Job, "name"> {
  const check = checksFor(job);
  check.object("options", options);
  check.onlyKeys(options, OPTION_NAMES);
  const given = { ...DEFAULTS, ...withoutUndefined(options) };

  const timeoutMs = check.durationMs("timeout", given.timeout, LIMITS.timeout);
  const deadlineMarginMs = check.durationMs("deadlineMargin", given.deadlineMargin, LIMITS.deadlineMargin);
  if (deadlineMarginMs >= timeoutMs) {
    throw check.refuseValue("deadlineMargin", given.deadlineMargin, `less than the timeout, "${given.timeout}"`);
  }
  const overlap = check.oneOf("overlap", given.overlap, OVERLAPS);
  if (overlap === "allow" && given.heartbeat !== undefined) {
    const problem = 'a heartbeat renews a lock, and with overlap "allow" there is none. Remove one of the two.';
    throw check.refuse("heartbeat", given.heartbeat, problem);
  }
  if (overlap === "replace" && given.heartbeat === undefined) {
    const problem =
      'overlap "replace" asks the run before to stop, which hears that by its heartbeat. Add one, such as "20 seconds".';
    throw check.refuse("overlap", overlap, problem);
  }
  const holdAfterTimeoutMs = check.durationMs("holdAfterTimeout", given.holdAfterTimeout, LIMITS.holdAfterTimeout);
  if (overlap === "allow" && holdAfterTimeoutMs > 0) {
    const problem = 'with overlap "allow" there is no lock to hold after a time-out. Remove one of the two.';
    throw check.refuse("holdAfterTimeout", given.holdAfterTimeout, problem);
  }
  const { redact = (value: unknown) => value, onSkipped, store = {} } = given;
  if (typeof redact !== "function") throw check.refuseValue("redact", redact, "a function");
  if (onSkipped !== undefined && typeof onSkipped !== "function") {
    throw check.refuseValue("onSkipped", onSkipped, "a function");
  }
  check.object("store", store);
  check.onlyKeys(store, ["input", "result"], "store.");
  const schedules = checkedSchedules(check, given.schedule);

  return {
    schedules: mapValues(schedules, specOf),
    timeoutMs,
    overlap,
    queueLength: check.wholeNumber("queueLength", given.queueLength, LIMITS.queueLength),
    catchUp: check.oneOf("catchUp", given.catchUp, CATCH_UPS),
    maxLatenessMs: checkedLateness(check, schedules, given.maxLateness),
    retries: check.wholeNumber("retries", given.retries, LIMITS.retries),
    retentionMs: check.durationMs("retention", given.retention, LIMITS.retention),
    deadlineMarginMs,
    ...(given.heartbeat !== undefined && { heartbeatMs: checkedHeartbeat(check, given.heartbeat, timeoutMs) }),
    ...(holdAfterTimeoutMs > 0 && { holdAfterTimeoutMs }),
    locks: checkedLocks(check, given.locks ?? [], overlap),
    priority: check.wholeNumber("priority", given.priority, LIMITS.priority),
    ...(given.description !== undefined && {
      description: check.text("description", given.description, LIMITS.descriptionLength),
    }),
    store: {
      input: check.flag("store.input", store.input ?? false),
      result: check.flag("store.result", store.result ?? false),
    },
    redact,
    ...(onSkipped && { onSkipped }),
    enabled: check.flag("enabled", given.enabled),
    alarms: check.flag("alarms", given.alarms),
    ...(given.group !== undefined && { group: checkedGroup(check, given.group) }),
    function: checkedFunction(check, given.function),
  };
}

function checkedGroup(check: Checks, group: unknown): string {
  if (typeof group === "string" && GROUP_NAME.test(group)) return group;
  throw check.refuseValue("group", group, '1-64 small letters, digits and "-"');
}

/** A lease of three heartbeats has to end well before the timeout, or it would not be noticed sooner. */
function checkedHeartbeat(check: Checks, heartbeat: Duration, timeoutMs: number): number {
  const heartbeatMs = check.durationMs("heartbeat", heartbeat, LIMITS.heartbeat);
  if (heartbeatMs * 4 <= timeoutMs) return heartbeatMs;
  throw check.refuseValue("heartbeat", heartbeat, `up to ${timeoutMs / 4_000} seconds, a quarter of the timeout`);
}

/** All jobs take them in this order, so that no two wait for each other. */
function checkedLocks(check: Checks, locks: unknown, overlap: Overlap): readonly string[] {
  const names: unknown[] = Array.isArray(locks) ? locks : [];
  const isName = (name: unknown): name is string => typeof name === "string" && LOCK_NAME.test(name);
  if (!Array.isArray(locks) || !names.every(isName) || names.length > LIMITS.locks) {
    const allowed = `up to ${LIMITS.locks} names of 1-64 letters, digits, "_" and "-", beginning with a letter or digit`;
    throw check.refuseValue("locks", locks, allowed);
  }
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice !== undefined)
    throw check.refuse("locks", locks, `locks names ${shown(twice)} twice. Name each lock once.`);
  if (names.length > 0 && overlap === "allow") {
    const problem = 'with overlap "allow" a run takes no lock, and can take no shared one. Remove one of the two.';
    throw check.refuse("locks", locks, problem);
  }
  return names.toSorted();
}

function checkedSchedules(check: Checks, schedule: unknown): Record<string, Schedule> {
  if (!isNamed(schedule)) return { default: checkedSchedule(check, "schedule", schedule) };
  const names = Object.keys(schedule);
  if (names.length === 0) throw check.refuseValue("schedule", schedule, "one schedule or more");
  for (const name of names) {
    if (SCHEDULE_NAME.test(name) && !RESERVED_NAMES.includes(name)) continue;
    const allowed = `a name of 1-64 letters, digits, "_", "." and "-", other than ${RESERVED_NAMES.map(shown).join(", ")}`;
    throw check.refuseValue("schedule", name, allowed);
  }
  return mapValues(schedule, (spec, name) => checkedSchedule(check, `schedule.${name}`, spec));
}

/** One schedule is told from several by its expression, which is text; a schedule that is named "expression" is an object. */
function isNamed(schedule: unknown): schedule is Record<string, unknown> {
  if (typeof schedule !== "object" || schedule === null || Array.isArray(schedule)) return false;
  return typeof Reflect.get(schedule, "expression") !== "string";
}

function checkedSchedule(check: Checks, field: string, spec: unknown): Schedule {
  try {
    return parseSchedule(spec as ScheduleSpec);
  } catch (error) {
    throw check.refuse(field, spec, `${field}: ${error instanceof Error ? error.message : shown(error)}`, error);
  }
}

function checkedLateness(check: Checks, schedules: Record<string, Schedule>, maxLateness: Duration | undefined) {
  if (maxLateness !== undefined) {
    const latenessMs = check.durationMs("maxLateness", maxLateness, LIMITS.maxLateness);
    return mapValues(schedules, () => latenessMs);
  }
  const [atLeastMs, atMostMs] = [durationMs(DEFAULT_LATENESS.atLeast), durationMs(DEFAULT_LATENESS.atMost)];
  return mapValues(schedules, (schedule) => Math.max(atLeastMs, Math.min(shortestGapMs(schedule), atMostMs)));
}

function mapValues<T, U>(values: Record<string, T>, map: (value: T, name: string) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]));
}

function withoutUndefined<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}
