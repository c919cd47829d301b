export { type Random, randomFrom } from "../../lib/local/random.ts";
