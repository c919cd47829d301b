import { StoreError } from "../store/index.ts";
import { OperationError, type OperationErrorCode } from "./errors.ts";
import { type Methods, withErrors } from "./explained.ts";

/** What the SDK's and AWS's errors mean for who uses the command line. By name: each client has classes of its own. */
const MEANINGS: readonly { readonly test: RegExp; readonly code: OperationErrorCode; readonly advice: string }[] = [
  {
    test: /Token is expired|SSO session.*(expired|invalid)|aws sso login|ExpiredToken|security token included in the request is expired/i,
    code: "CREDENTIALS_EXPIRED",
    advice: 'sign in again ("aws sso login", with --profile where you use one)',
  },
  {
    test: /CredentialsProviderError|Could not load credentials|Could not resolve credentials/i,
    code: "NO_CREDENTIALS",
    advice: 'name a profile (--profile), sign in ("aws sso login"), or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  },
  {
    test: /Region is missing/i,
    code: "INVALID_INPUT",
    advice: "name the Region: --region eu-central-1, or AWS_REGION",
  },
  {
    test: /AccessDenied|not authorized|UnauthorizedOperation|InvalidClientTokenId|UnrecognizedClient|SignatureDoesNotMatch/i,
    code: "ACCESS_DENIED",
    advice:
      "use credentials that may do this: the stack's managed policies -read and -operate say what all commands need",
  },
];

/** @returns an `OperationError` for what a person can do something about; anything else as it is */
export function awsError(error: unknown, what: string): unknown {
  if (!(error instanceof Error) || error instanceof OperationError) return error;
  const text = `${error.name}: ${error.message}`;
  const meaning = MEANINGS.find(({ test }) => test.test(text));
  if (!meaning) return new OperationError("AWS_FAILED", `${what}: ${text}`, { cause: error });
  const { code, advice } = meaning;
  const permission = /not authorized to perform: ([\w-]+:\w+)/.exec(text)?.[1];
  const missing = permission === undefined ? "" : `the permission ${permission} is missing; `;
  return new OperationError(code, `${what}: ${error.message}; ${missing}${advice}`, { cause: error });
}

/** The same of what the store throws: a refusal by AWS is one, all else says itself what to do. */
function tableError(error: unknown): unknown {
  const isRefusal = error instanceof StoreError && error.code === "STORE_ACCESS_DENIED";
  return isRefusal ? awsError(error.cause, "the table does not let you do this") : error;
}

/** The same methods, which throw of the table's refusals what a person can do something about. */
export function withTableErrors<T extends Methods<T>>(methods: T): T {
  return withErrors(methods, tableError);
}
