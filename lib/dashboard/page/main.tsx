import "./style/index.css";
import { render } from "preact";
import { followOccurrences } from "./fleet/bound-clock.ts";
import { App } from "./shell/app.tsx";
import { startKeys } from "./shell/keys.ts";
import { followBackfills } from "./state/backfills.ts";
import { startClock } from "./state/clock.ts";
import { followLetters } from "./state/letters.ts";
import { goLive, listen } from "./state/live.ts";
import { tell } from "./state/tidings.ts";
import { startTips } from "./ui/tip.tsx";

startClock();
followOccurrences();
startKeys();
startTips();
followLetters();
followBackfills();
listen((event) => {
  if (event.kind === "notice") tell(event.level, event.message);
});
void goLive();

const root = document.getElementById("page");
if (root) render(<App />, root);
