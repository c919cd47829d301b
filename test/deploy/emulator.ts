import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPythonServer } from "../python/server.ts";
import { PASSED_OVER } from "./passed-over.ts";

export interface Emulator {
  /** What the SDK and the CDK have to know to talk to it, and to nobody else, as environment variables. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** The SDK warns on Node 20, which the install's engine warning says already. */
const withoutSdkWarning = { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" };

/** Starts an AWS on this machine that takes CloudFormation and runs functions. Where that cannot be, says why. */
export async function startEmulator(): Promise<Emulator | { readonly missing: string }> {
  const folder = mkdtempSync(join(tmpdir(), "escapement-emulator-"));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  const server = await startPythonServer({
    name: "emulator",
    requirements: join(import.meta.dirname, "requirements.txt"),
    args: [join(import.meta.dirname, "emulator.py"), ...Object.keys(PASSED_OVER)],
    env: {
      PATH: process.env["PATH"],
      TMPDIR: folder,
      BIND_HOST: "127.0.0.1",
      MINISTACK_HOST: "127.0.0.1",
      GATEWAY_PORT: String(await freePort()),
      // Whoever has a role, such as the functions, may do what its policies say.
      AUTH: "true",
      // A failed event comes again at once.
      LAMBDA_ASYNC_RETRY_BASE_SECONDS: "0",
      // Functions run as processes of this machine, also where there are containers.
      DOCKER_HOST: "unix:///nonexistent",
      ...withoutSdkWarning,
    },
  });
  if ("missing" in server) {
    removeFolder();
    return server;
  }
  const environment = {
    AWS_ENDPOINT_URL: server.endpoint,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
    AWS_EC2_METADATA_DISABLED: "true",
    // What tests leave there goes with it, also after Ctrl-C.
    TMPDIR: folder,
    ...withoutSdkWarning,
  };
  const stop = async () => {
    await server.stop();
    removeFolder();
  };
  return { environment, stop };
}

/** The emulator writes its port into the addresses of queues, so that it has to know it from the start. */
function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
