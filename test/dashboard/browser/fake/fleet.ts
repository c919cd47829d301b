import type { FleetJob } from "../../../../lib/dashboard/api.ts";
import { instant, jobOf, recentOf, runOf } from "./jobs.ts";

function schedule(expression: string, description: string, timeZone: string, minutesToNext: number) {
  const at = instant(minutesToNext);
  return { name: "default", expression, timeZone, description, next: { at, local: at }, warnings: [] };
}

const DST_WARNING = {
  code: "DST_SKIPPED",
  message: "The clock of Europe/Berlin skips 02:30 on 29 March 2026: that night it does not run.",
} as const;

/** A shop's fleet with one job in each condition that there is. */
export const SHOP: readonly FleetJob[] = [
  jobOf("close-business-day", 1830, {
    description: "Adds up the orders of each business day",
    schedules: [
      { ...schedule("cron(30 2 * * ? *)", "at 02:30 every day", "Europe/Berlin", 1830), warnings: [DST_WARNING] },
    ],
    lastRun: runOf("close-business-day", 1110, { durationMs: 184_000 }),
    recent: recentOf("SSSSFSSSSS", 171_000),
  }),
  jobOf("sync-exchange-rates", 3, {
    description: "Fetches the rates of the European Central Bank",
    schedules: [schedule("rate(5 minutes)", "every 5 minutes from its creation", "UTC", 3)],
    lastRun: runOf("sync-exchange-rates", 2, { durationMs: 840 }),
    recent: recentOf("SSSSSSSSSS", 790),
  }),
  jobOf("rebuild-search-index", 1, {
    description: "Rebuilds the search index of the product catalog",
    schedules: [schedule("cron(* * * * ? *)", "every minute", "UTC", 1)],
    state: "running",
    lock: {
      owner: "inv-7f3a90c1",
      runId: runOf("rebuild-search-index", 1).runId,
      attempt: 1,
      since: instant(-1),
      expiresAt: instant(2),
      dead: false,
      progress: { fraction: 0.63, note: "shard 57 of 90", at: instant(0) },
    },
    lastRun: runOf("rebuild-search-index", 1, { status: "RUNNING" }),
    recent: recentOf("RKSKSKSKSK", 90_000),
  }),
  jobOf("pay-commissions", 480, {
    description: "Credits the sellers with their commission",
    schedules: [schedule("cron(0 4 * * ? *)", "at 04:00 every day", "UTC", 480)],
    consecutiveFailures: 3,
    lastRun: runOf("pay-commissions", 960, {
      status: "FAILED",
      durationMs: 6_400,
      error: {
        name: "PaymentProviderError",
        message: "503 from payments.example: too many requests, retry after 30 s",
      },
    }),
    recent: recentOf("FFFSSSSFSS", 5_900),
  }),
  jobOf("send-invoices", 720, {
    description: "Sends the invoices of yesterday's orders",
    schedules: [schedule("cron(0 9 ? * MON-FRI *)", "at 09:00, Monday to Friday", "Europe/Berlin", 2220)],
    state: "paused",
    paused: { by: "ada", reason: "the mail provider is moved to eu-west-1", at: instant(-190), until: instant(780) },
    lastRun: runOf("send-invoices", 130, { status: "SKIPPED", reason: "paused" }),
    recent: recentOf("KKSSSSSSSS", 61_000),
  }),
  jobOf("archive-orders", 360, {
    description: "Moves orders older than two years to cold storage",
    schedules: [schedule("cron(0 3 ? * SUN *)", "at 03:00 on Sunday", "Europe/Berlin", 300)],
    lastRun: runOf("archive-orders", 9_900, { status: "TIMED_OUT", durationMs: 900_000 }),
    consecutiveFailures: 1,
    recent: recentOf("TSSSSSSSSS", 412_000),
  }),
  jobOf("import-catalog", 95, {
    description: "Reads the suppliers' catalogs",
    schedules: [
      schedule("cron(15 0/2 * * ? *)", "at minute 15 of every 2nd hour", "America/New_York", 95),
      {
        ...schedule("cron(0 12 1 * ? *)", "at 12:00 on day 1 of the month", "America/New_York", 5000),
        name: "monthly",
      },
    ],
    lastRun: runOf("import-catalog", 25, { durationMs: 318_000 }),
    recent: recentOf("SSSSSLSSSS", 96_000),
  }),
  jobOf("expire-carts", 12, {
    description: "Gives back what lies in forgotten carts",
    schedules: [schedule("rate(15 minutes)", "every 15 minutes from its creation", "UTC", 12)],
    state: "interrupted",
    lastRun: runOf("expire-carts", 4, { status: "RUNNING", interrupted: true }),
    recent: recentOf("RSSSSSSSSS", 12_000),
  }),
  jobOf("refresh-recommendations", 42, {
    schedules: [schedule("cron(42 * * * ? *)", "at minute 42 of every hour", "Asia/Tokyo", 42)],
    lastRun: runOf("refresh-recommendations", 18, { status: "CANCELLED", durationMs: 44_000 }),
    recent: recentOf("CSSSSSSSSS", 130_000),
  }),
  jobOf("warm-price-cache", 0, {
    schedules: [
      {
        ...schedule("at(2026-01-02T09:00:00)", "once, on 2 January 2026 at 09:00", "Europe/Berlin", 0),
        next: undefined,
      },
    ],
    state: "disabled",
    disabled: true,
    lastRun: undefined,
    recent: recentOf(""),
  }),
  jobOf("legacy-report", 0, {
    schedules: [],
    state: "removed",
    lastRun: runOf("legacy-report", 44_000),
    recent: recentOf("SSS", 2_100),
  }),
  jobOf("tax-export", 700, {
    state: "unreadable",
    error: 'the item of its newest run says version "9", which this version does not know',
    lastRun: undefined,
    recent: recentOf(""),
  }),
];

const PARTS = ["orders", "billing", "search", "catalog", "mail", "stock", "fraud", "loyalty", "shipping", "tax"];
const VERBS = ["sync", "rebuild", "export", "archive", "check", "report", "import", "expire", "refresh", "close"];

/** As many jobs as a test wants, of all kinds. */
export function largeFleet(count: number): FleetJob[] {
  return Array.from({ length: count }, (_, index) => {
    const model = SHOP[index % SHOP.length] as FleetJob;
    const name = `${VERBS[index % 10]}-${PARTS[Math.floor(index / 10) % 10]}-${String(index).padStart(4, "0")}`;
    return { ...model, job: name, ...(model.lastRun && { lastRun: { ...model.lastRun, job: name } }) };
  });
}

const EVIL = '<img src=x onerror="window.hacked=1"></script><script>window.hacked=1</script>';

/** Every text that a job, a run or an operator can bring, each of them meant to do harm. */
export const HOSTILE: readonly FleetJob[] = [
  jobOf('evil-"><script>window.hacked=1</script>', 5, {
    description: EVIL,
    state: "paused",
    paused: { by: EVIL, reason: `javascript:window.hacked=1 ${EVIL}`, at: instant(-5) },
    schedules: [
      {
        ...schedule("cron(30 2 * * ? *)", EVIL, "Europe/Berlin", 5),
        warnings: [{ code: "DST_ONCE", message: EVIL }],
      },
    ],
    lastRun: runOf('evil-"><script>window.hacked=1</script>', 9, {
      status: "FAILED",
      error: { name: EVIL, message: EVIL },
    }),
  }),
];
export { EVIL };
