import { join } from "node:path";
import { startPythonServer } from "../python/server.ts";

/** Starts moto, a second emulator: independent of ours, in another language. Where that cannot be, says why. */
export function startMoto() {
  return startPythonServer({
    name: "moto",
    requirements: join(import.meta.dirname, "requirements.txt"),
    args: ["-m", "moto.server", "-H", "127.0.0.1", "-p", "0"],
  });
}
