import { launch } from "../test/dashboard/browser/chromium.ts";
import { largeFleet } from "../test/dashboard/browser/fake/fleet.ts";
import { startFake } from "../test/dashboard/browser/fake/server.ts";

const SEARCH = "sync orders";

/**
 * Types into the search of a fleet of 1,000 jobs and measures from each keystroke to the paint that shows what it found.
 *
 * @example npm run bench:dashboard
 */
async function main(jobs: number, rounds: number): Promise<void> {
  const server = await startFake(largeFleet(jobs));
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(server.url);
    await page.locator(".job-name").first().waitFor();
    await page.evaluate(measureInPage);
    const search = page.getByLabel("Search the jobs");
    await search.focus();
    // From everything to one page of jobs to a few, and back to everything; each key once the one before is painted.
    const keys = [...SEARCH, ...Array.from(SEARCH, () => "Backspace")];
    const protocol = await page.context().newCDPSession(page);
    await protocol.send("Performance.enable", { timeDomain: "threadTicks" });
    const usedMs = async () => {
      const { metrics } = await protocol.send("Performance.getMetrics");
      return 1_000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
    };
    const usedBeforeMs = await usedMs();
    const timesMs: number[] = [];
    for (let pressed = 0; pressed < rounds * keys.length; pressed++) {
      await page.keyboard.press(keys[pressed % keys.length]?.replace(" ", "Space") ?? "");
      timesMs.push(await page.evaluate<number>(`timeOf(${pressed})`));
    }
    const used = ((await usedMs()) - usedBeforeMs) / timesMs.length;
    timesMs.sort((one, other) => one - other);
    const rows = await page.locator("tbody tr").count();
    const at = (share: number) => timesMs[Math.floor(share * (timesMs.length - 1))]?.toFixed(1);
    console.log(`${jobs} jobs, ${rows} rows in the page, ${timesMs.length} keystrokes`);
    console.log(`keystroke to paint: median ${at(0.5)} ms, p95 ${at(0.95)} ms, slowest ${at(1)} ms`);
    console.log(`of a processor, in the page's main thread: ${used.toFixed(1)} ms for each keystroke`);
  } finally {
    await browser.close();
    await server.close();
  }
}

/** A message posted in a frame's callback is handled after that frame is painted. */
const measureInPage = `
  times = [];
  tell = () => {};
  timeOf = (index) => new Promise((resolve) => {
    tell = () => index in times && resolve(times[index]);
    tell();
  });
  document.getElementById("search").addEventListener("input", ({ timeStamp }) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        times.push(performance.now() - timeStamp);
        tell();
      };
      port2.postMessage(undefined);
    });
  });
`;

await main(Number(process.argv[2] ?? 1_000), Number(process.argv[3] ?? 10));
