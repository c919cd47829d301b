import type { FleetJob } from "../../../../lib/dashboard/api.ts";
import { instant, jobOf, recentOf, runOf, scheduleOf } from "./jobs.ts";

/** On Thursday morning: it has skipped that day's invoices and Friday's. */
const PAUSED_AT = "2026-03-26T06:20:00Z";

/** A shop's fleet with one job in each condition that there is. */
export const SHOP: readonly FleetJob[] = [
  jobOf("close-business-day", 1830, {
    description: "Adds up the orders of each business day",
    schedules: [scheduleOf("cron(30 2 * * ? *)", "Europe/Berlin")],
    lastRun: runOf("close-business-day", 1110, { durationMs: 184_000 }),
    recent: recentOf("SSSSFSSSSS", 171_000),
  }),
  jobOf("sync-exchange-rates", 3, {
    description: "Fetches the rates of the European Central Bank",
    schedules: [scheduleOf("cron(0/30 * * * ? *)", "Europe/Berlin")],
    lastRun: runOf("sync-exchange-rates", 30, { durationMs: 238_000 }),
    recent: recentOf("SSSSSSSSSS", 240_000),
  }),
  jobOf("rebuild-search-index", 1, {
    description: "Rebuilds the search index of the product catalog",
    schedules: [scheduleOf("cron(* * * * ? *)", "UTC")],
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
    schedules: [scheduleOf("cron(0 4 * * ? *)", "UTC")],
    consecutiveFailures: 3,
    lastSuccess: "2026-03-25T04:00:00Z",
    lastRun: runOf("pay-commissions", 960, {
      status: "FAILED",
      timeZone: "UTC",
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
    schedules: [scheduleOf("cron(0 9 ? * MON-FRI *)", "Europe/Berlin")],
    state: "paused",
    paused: { by: "ada", reason: "the mail provider is moved to eu-west-1", at: PAUSED_AT, until: instant(780) },
    // On Friday at 09:00 in Berlin.
    lastRun: runOf("send-invoices", 2160, { status: "SKIPPED", reason: "paused" }),
    recent: recentOf("KKSSSSSSSS", 61_000),
  }),
  jobOf("archive-orders", 360, {
    description: "Moves orders older than two years to cold storage",
    schedules: [scheduleOf("cron(0 3 ? * SUN *)", "Europe/Berlin")],
    lastRun: runOf("archive-orders", 9_720, { status: "TIMED_OUT", durationMs: 900_000 }),
    consecutiveFailures: 1,
    recent: recentOf("TSSSSSSSSS", 412_000),
  }),
  jobOf("import-catalog", 95, {
    description: "Reads the suppliers' catalogs",
    schedules: [
      scheduleOf("cron(15 0/2 * * ? *)", "Europe/Berlin"),
      { ...scheduleOf("cron(0 12 1 * ? *)", "America/New_York"), name: "monthly" },
    ],
    lastRun: runOf("import-catalog", 45, { durationMs: 1_500_000 }),
    recent: recentOf("SSSSSLSSSS", 1_850_000),
  }),
  jobOf("expire-carts", 12, {
    description: "Gives back what lies in forgotten carts",
    schedules: [scheduleOf("rate(15 minutes)", "UTC", 90 * 24 * 60 + 3)],
    state: "interrupted",
    lastRun: runOf("expire-carts", 3, { status: "RUNNING", interrupted: true }),
    recent: recentOf("RSSSSSSSSS", 12_000),
  }),
  jobOf("refresh-recommendations", 42, {
    schedules: [scheduleOf("cron(42 * * * ? *)", "Asia/Tokyo")],
    lastRun: runOf("refresh-recommendations", 18, { status: "CANCELLED", durationMs: 44_000 }),
    recent: recentOf("CSSSSSSSSS", 130_000),
  }),
  jobOf("warm-price-cache", 0, {
    schedules: [scheduleOf("at(2026-01-02T09:00:00)", "Europe/Berlin")],
    state: "disabled",
    disabled: true,
    lastRun: undefined,
    recent: recentOf(""),
  }),
  jobOf("legacy-report", 0, {
    schedules: [],
    state: "removed",
    lastRun: runOf("legacy-report", 44_000, { durationMs: 2_200 }),
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
        ...scheduleOf("cron(30 2 * * ? *)", "Europe/Berlin"),
        description: EVIL,
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
