import { afterAll, beforeAll, expect, test } from "vitest";
import { productsByTerm, rebuild } from "../../functions/rebuild-search-index.ts";
import { openTables } from "./tables.ts";

let tables: Awaited<ReturnType<typeof openTables>>;
beforeAll(async () => {
  tables = await openTables("CATALOG_TABLE", "SEARCH_INDEX_TABLE");
});
afterAll(() => tables.close());

function rebuildFor(scheduledTime: string, signal = new AbortController().signal) {
  return rebuild({ scheduledTime: new Date(scheduledTime), progress() {}, signal }, 0);
}

test("a product is found by each word of its name, whatever its case and script", () => {
  const products = [
    { sk: "p1", name: "Grüner Tee, Tee" },
    { sk: "p2", name: "TEE-Kanne 2" },
  ];
  expect(productsByTerm(products)).toEqual({ grüner: ["p1"], tee: ["p1", "p2"], kanne: ["p2"], "2": ["p2"] });
});

test("a rebuild writes its own generation and points readers to it", async () => {
  await tables.put("CATALOG_TABLE", { pk: "shard-7", sk: "p1", name: "Green tea" });

  expect(await rebuildFor("2026-05-01T02:01:00Z")).toEqual({ generation: "2026-05-01T02:01:00.000Z", products: 1 });
  expect(await tables.get("SEARCH_INDEX_TABLE", "2026-05-01T02:01:00.000Z", "shard-7")).toMatchObject({
    products: { green: ["p1"], tea: ["p1"] },
  });
  expect(await tables.get("SEARCH_INDEX_TABLE", "current", "generation")).toMatchObject({
    generation: "2026-05-01T02:01:00.000Z",
  });
});

test("a late rebuild of an older occurrence does not point readers back", async () => {
  await rebuildFor("2026-05-01T03:01:00Z");
  await rebuildFor("2026-05-01T03:00:00Z");

  expect(await tables.get("SEARCH_INDEX_TABLE", "current", "generation")).toMatchObject({
    generation: "2026-05-01T03:01:00.000Z",
  });
});

test("a rebuild that is told to stop publishes nothing", async () => {
  await rebuildFor("2026-05-01T04:00:00Z");
  await expect(rebuildFor("2026-05-01T05:00:00Z", AbortSignal.abort())).rejects.toThrow("aborted");

  expect(await tables.get("SEARCH_INDEX_TABLE", "current", "generation")).toMatchObject({
    generation: "2026-05-01T04:00:00.000Z",
  });
});
