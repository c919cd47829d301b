import { defineConfig } from "vitest/config";
import config, { LONG } from "./vitest.config.ts";

export default defineConfig({ ...config, test: { ...config.test, include: LONG, exclude: [] } });
