import type { FunctionDefinition } from "./definitions.ts";
import { LOCAL_REGION, NOWHERE } from "./place.ts";

/** Where a sandbox finds what runs here. */
export interface Surroundings {
  /** The runner's server, without `http://`. */
  readonly host: string;
  readonly dynamoEndpoint: string;
  /** Lets the sandbox call the runner's Lambda API, and no other. */
  readonly accessKeyId: string;
}

/**
 * The whole environment of a sandbox: the template's, then Lambda's own. Of the runner's environment only `PATH` goes
 * in, so that no credentials, profile or endpoint of the shell reaches a handler.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 */
export function sandboxEnvironment(
  fn: FunctionDefinition,
  around: Surroundings,
  sandbox: { runtimePath: string; logStream: string },
): Record<string, string> {
  return {
    ...fn.environment,
    PATH: process.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin",
    LANG: "en_US.UTF-8",
    TZ: ":UTC",
    _HANDLER: fn.handler,
    LAMBDA_TASK_ROOT: fn.assetDir,
    AWS_EXECUTION_ENV: `AWS_Lambda_nodejs${process.versions.node.split(".")[0]}.x`,
    AWS_LAMBDA_FUNCTION_NAME: fn.name,
    AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(fn.memoryMb),
    AWS_LAMBDA_INITIALIZATION_TYPE: "on-demand",
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${fn.name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: sandbox.logStream,
    AWS_LAMBDA_RUNTIME_API: `${around.host}${sandbox.runtimePath}`,
    AWS_REGION: LOCAL_REGION,
    AWS_DEFAULT_REGION: LOCAL_REGION,
    AWS_ACCESS_KEY_ID: around.accessKeyId,
    AWS_SECRET_ACCESS_KEY: "local",
    AWS_SESSION_TOKEN: "local",
    AWS_ENDPOINT_URL: NOWHERE,
    AWS_ENDPOINT_URL_DYNAMODB: around.dynamoEndpoint,
    AWS_ENDPOINT_URL_EVENTBRIDGE: `http://${around.host}`,
    AWS_ENDPOINT_URL_LAMBDA: `http://${around.host}`,
    AWS_ENDPOINT_URL_SCHEDULER: `http://${around.host}`,
    AWS_EC2_METADATA_DISABLED: "true",
    // The SDK would read the user's own files, whatever the environment says.
    AWS_CONFIG_FILE: "/dev/null",
    AWS_SHARED_CREDENTIALS_FILE: "/dev/null",
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
  };
}
