import type { ErrorAnswer } from "../../api.ts";
import { parseVisibly } from "../format/visible-json.ts";
import { withTexts } from "./with-texts.ts";

const PATIENCE_MS = 30_000;

/** A request that was not answered as asked. The message is for people. */
export class ApiError extends Error {
  /** The server's word for it; `UNREACHABLE` where there was no answer. */
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status: number) {
    super(message);
    this.name = "ApiError";
    this.code = code;
    this.status = status;
  }
}

type Query = Readonly<Record<string, string | number | undefined>>;

/** @throws ApiError */
export function get<T>(path: string, query: Query = {}): Promise<T> {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  const text = new URLSearchParams(given).toString();
  return request<T>(text === "" ? path : `${path}?${text}`, { method: "GET" });
}

/**
 * @param texts members of the body that are JSON already, and sent as they stand
 * @throws ApiError
 */
export function post<T>(
  path: string,
  body: object,
  texts: Readonly<Record<string, string | undefined>> = {},
): Promise<T> {
  return request<T>(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: withTexts(body, texts),
  });
}

/** The path of a job's part: `jobs/nightly/runs/…`. */
export function jobPath(job: string, ...parts: string[]): string {
  return ["jobs", job, ...parts].map(encodeURIComponent).join("/");
}

async function request<T>(path: string, init: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`/api/${path}`, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch {
    throw new ApiError("UNREACHABLE", "The dashboard's server does not answer. Is it still running?", 0);
  }
  const body: unknown = await response
    .text()
    .then(parseVisibly)
    .catch(() => undefined);
  const isObject = typeof body === "object" && body !== null;
  // An outcome such as "somebody was faster" has the status 409, and is an answer.
  if (isObject && (response.ok || !("error" in body))) return body as T;
  const { code = "ERROR", message = `The server answered ${response.status}.` } =
    (body as ErrorAnswer | undefined)?.error ?? {};
  throw new ApiError(code, message, response.status);
}
