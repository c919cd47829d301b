import { openEmbeddedDynamo } from "../../lib/local/embedded-table.ts";

// The embedded table as a process of its own: `table.ts DIR`. It tells its endpoint, and ends with its parent.
const [dir = ""] = process.argv.slice(2);
const { endpoint } = await openEmbeddedDynamo({ dir });
process.send?.(endpoint);
process.on("disconnect", () => process.exit());
