import { startRunner } from "../../lib/local/index.ts";

// A runner as a process of its own: `runner-process.ts STATE_DIR ASSEMBLY_DIR`. Its events are lines of JSON.
const [stateDir = "", assemblyDir = ""] = process.argv.slice(2);
await startRunner({ stateDir, assemblyDir, onEvent: (event) => console.log(JSON.stringify(event)) });
