import { writeJson } from "../../lib/local/json-file.ts";

// Writes the file again and again, a long value and a short one in turn, and prints a line after each: `json-writer.ts FILE`.
const [file = ""] = process.argv.slice(2);
for (let n = 0; ; n += 1) {
  writeJson(file, { text: "x".repeat(n % 2 === 0 ? 500_000 : 5) });
  console.log(n);
}
