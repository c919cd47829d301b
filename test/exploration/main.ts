import { explore } from "./explore.ts";
import { LARGE_SCOPES, SMALL_SCOPES } from "./scopes.ts";

// npm run test:explore [scope…]: the large scopes, or those that are named.

const wanted = process.argv.slice(2);
const known = [...SMALL_SCOPES, ...LARGE_SCOPES];
const unknown = wanted.filter((name) => !known.some((scope) => scope.name === name));
if (unknown.length > 0) {
  console.error(`No scope ${unknown.join(", ")}. There are: ${known.map(({ name }) => name).join(", ")}.`);
  process.exit(2);
}

for (const scope of wanted.length > 0 ? known.filter(({ name }) => wanted.includes(name)) : LARGE_SCOPES) {
  const started = process.cpuUsage();
  const { states, violation, trace } = explore(scope);
  const { user, system } = process.cpuUsage(started);
  const seconds = (user + system) / 1e6;
  // In kilobytes, and of the process so far.
  const peakMb = Math.round(process.resourceUsage().maxRSS / 1024);
  const rate = Math.round(states / seconds);
  console.log(`${scope.name}: ${states} states, ${seconds.toFixed(1)} s of CPU, ${rate} states/s, peak ${peakMb} MB`);
  if (violation === undefined) continue;
  console.error([violation, ...trace].join("\n"));
  process.exitCode = 1;
}
