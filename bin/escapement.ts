#!/usr/bin/env node
import { main } from "../lib/cli/main.ts";

await main(process.argv.slice(2));
