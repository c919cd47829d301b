import type { Command } from "commander";
export function addDevCommand(_program: Command): void {}
