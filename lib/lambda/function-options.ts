import { type Checks, shown } from "./check.ts";
import { ENVIRONMENT } from "./environment.ts";

/** What a job's Lambda function is made of. Plain data: CDK objects, such as a VPC, are given in the app. */
export interface FunctionOptions {
  /**
   * Memory in MB, from 128 to 10,240; the share of a processor grows with it.
   * @default 256
   */
  readonly memoryMb?: number;
  /**
   * The instruction set: `arm64` or `x86_64`.
   * @default "arm64"
   */
  readonly architecture?: Architecture;
  /**
   * Size of `/tmp` in MB, from 512 to 10,240.
   * @default 512
   */
  readonly ephemeralStorageMb?: number;
  /**
   * Concurrency that is taken out of the account's pool for this function, and is its most at the same time: 1 to 1,000.
   * The lock needs none; an event that is throttled waits for hours and comes late.
   * @default - none is reserved
   */
  readonly reservedConcurrency?: number;
  /**
   * Variables for `process.env`, texts. Names of AWS's own or of Escapement are refused.
   * @default - none
   */
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * ARNs of layer versions, up to five.
   * @default - none
   */
  readonly layers?: readonly string[];
  /**
   * How esbuild bundles the file: packages that are left out of it, since a layer has them, and loaders by file ending.
   * @default - everything that is imported is in the bundle
   * @example { external: ["sharp"], loader: { ".sql": "text" } }
   */
  readonly bundling?: BundlingOptions;
}

export interface BundlingOptions {
  readonly external?: readonly string[];
  readonly loader?: Readonly<Record<string, Loader>>;
}

type Architecture = (typeof ARCHITECTURES)[number];
type Loader = (typeof LOADERS)[number];

/** A function's options, checked, with every default filled in. */
export interface FunctionSettings {
  readonly memoryMb: number;
  readonly architecture: Architecture;
  readonly ephemeralStorageMb: number;
  readonly reservedConcurrency?: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly layers: readonly string[];
  readonly bundling: Required<BundlingOptions>;
}

const ARCHITECTURES = ["arm64", "x86_64"] as const;
const LOADERS = ["text", "json", "base64", "binary", "dataurl"] as const;

/** The defaults, as the table in `docs/handler.md` lists them. */
export const FUNCTION_DEFAULTS = {
  memoryMb: 256,
  architecture: "arm64",
  ephemeralStorageMb: 512,
} as const satisfies FunctionOptions;

/** Lambda's own quotas. */
const LIMITS = {
  memoryMb: { atLeast: 128, atMost: 10_240 },
  ephemeralStorageMb: { atLeast: 512, atMost: 10_240 },
  reservedConcurrency: { atLeast: 1, atMost: 1000 },
  layers: 5,
} as const;

const KEYS = [
  "memoryMb",
  "architecture",
  "ephemeralStorageMb",
  "reservedConcurrency",
  "environment",
  "layers",
  "bundling",
] as const satisfies (keyof FunctionOptions)[];

/** @see https://docs.aws.amazon.com/lambda/latest/api/API_Environment.html */
const VARIABLE_NAME = /^[A-Za-z][A-Za-z0-9_]+$/;
/** Lambda sets these itself and refuses them at deployment. */
const RESERVED_VARIABLE = /^(_HANDLER$|_X_AMZN_|LAMBDA_|AWS_(LAMBDA_|REGION$|DEFAULT_REGION$|EXECUTION_ENV$))/;
const CREDENTIAL = /^AWS_(ACCESS_KEY|ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN)$/;
const LAYER_ARN = /^arn:aws[a-z-]*:lambda:[a-z0-9-]+:\d{12}:layer:[A-Za-z0-9_-]+:\d+$/;

/** Checks a job's `function` options. Throws a `JobError` that says what is allowed. */
export function checkedFunction(check: Checks, options: FunctionOptions = {}): FunctionSettings {
  check.object("function", options);
  check.onlyKeys(options, KEYS, "function.");
  const given = { ...FUNCTION_DEFAULTS, ...options };
  const { reservedConcurrency, environment = {}, layers = [], bundling = {} } = given;
  return {
    memoryMb: check.wholeNumber("function.memoryMb", given.memoryMb, LIMITS.memoryMb),
    architecture: check.oneOf("function.architecture", given.architecture, ARCHITECTURES),
    ephemeralStorageMb: check.wholeNumber(
      "function.ephemeralStorageMb",
      given.ephemeralStorageMb,
      LIMITS.ephemeralStorageMb,
    ),
    ...(reservedConcurrency !== undefined && {
      reservedConcurrency: check.wholeNumber(
        "function.reservedConcurrency",
        reservedConcurrency,
        LIMITS.reservedConcurrency,
      ),
    }),
    environment: checkedEnvironment(check, environment),
    layers: checkedLayers(check, layers),
    bundling: checkedBundling(check, bundling),
  };
}

function checkedEnvironment(check: Checks, environment: Readonly<Record<string, string>>) {
  check.object("function.environment", environment);
  for (const [name, value] of Object.entries(environment)) {
    const field = `function.environment.${name}`;
    const ours = Object.values(ENVIRONMENT).some((variable) => variable === name);
    if (!VARIABLE_NAME.test(name) || RESERVED_VARIABLE.test(name) || CREDENTIAL.test(name) || ours) {
      const allowed =
        "at least 2 characters, a letter, then letters, digits and _; no name that Lambda or the stack sets itself";
      throw check.refuse(field, value, `function.environment has the name ${shown(name)}. Allowed: ${allowed}.`);
    }
    if (typeof value !== "string") throw check.refuseValue(field, value, "text");
  }
  return environment;
}

function checkedLayers(check: Checks, layers: readonly string[]) {
  const allowed = `up to ${LIMITS.layers} ARNs of layer versions, such as "arn:aws:lambda:eu-central-1:123456789012:layer:sharp:3"`;
  const right = Array.isArray(layers) && layers.length <= LIMITS.layers && layers.every((arn) => LAYER_ARN.test(arn));
  if (!right) throw check.refuseValue("function.layers", layers, allowed);
  return layers;
}

function checkedBundling(check: Checks, bundling: BundlingOptions): Required<BundlingOptions> {
  check.object("function.bundling", bundling);
  check.onlyKeys(bundling, ["external", "loader"], "function.bundling.");
  const { external = [], loader = {} } = bundling;
  if (!Array.isArray(external) || !external.every((name) => typeof name === "string" && name !== "")) {
    throw check.refuseValue("function.bundling.external", external, 'names of packages, such as ["sharp"]');
  }
  check.object("function.bundling.loader", loader);
  for (const [ending, name] of Object.entries(loader)) {
    if (!/^\.\w+$/.test(ending)) {
      throw check.refuseValue("function.bundling.loader", ending, 'file endings, such as ".sql"');
    }
    check.oneOf(`function.bundling.loader.${ending}`, name, LOADERS);
  }
  return { external, loader };
}
