import { createHash, timingSafeEqual } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { refuse } from "./errors.ts";
import type { OwnServer } from "./own-server.ts";

/** Only requests that mean this server, and no page of another one: a web page can give 127.0.0.1 a name of its own. */
export function ownRequestsOnly({ hosts, origins }: OwnServer): MiddlewareHandler {
  return async (c, next) => {
    if (!hosts.includes(c.req.header("Host") ?? "")) {
      return refuse(c, 403, "FOREIGN_HOST", `the host must be ${hosts[0]}`);
    }
    const origin = c.req.header("Origin");
    if (origin !== undefined && !origins.includes(origin)) {
      return refuse(c, 403, "FOREIGN_ORIGIN", `pages of ${origin} may not ask here; open ${origins[0]}`);
    }
    return next();
  };
}

/**
 * Only who has the token: our page in a cookie, programs as `Authorization: Bearer`. A cookie alone changes nothing:
 * that needs our own Origin besides, which a browser sends and a page cannot forge.
 */
export function signedInOnly(token: string, { cookie }: OwnServer): MiddlewareHandler {
  return async (c, next) => {
    const bearer = /^Bearer (.+)$/.exec(c.req.header("Authorization") ?? "")?.[1];
    if (bearer !== undefined && isSame(bearer, token)) return next();
    if (!isSame(getCookie(c, cookie) ?? "", token)) {
      const message = "sign in with the link that the command line printed, or send its token as Authorization: Bearer";
      return refuse(c, 401, "NO_TOKEN", message);
    }
    const changes = c.req.method !== "GET" && c.req.method !== "HEAD";
    if (changes && c.req.header("Origin") === undefined) {
      return refuse(c, 403, "NO_ORIGIN", "a request that changes something needs our Origin, or Authorization: Bearer");
    }
    return next();
  };
}

/** Takes the token out of the address and into a cookie, which no script can read; other parameters stay. */
export function signInByLink(token: string, { cookie }: OwnServer): MiddlewareHandler {
  return async (c, next) => {
    const given = c.req.query("token");
    if (given === undefined) return next();
    if (!isSame(given, token)) {
      return c.text("This link is of an earlier run: take the one that the command line printed last.\n", 401);
    }
    setCookie(c, cookie, token, { httpOnly: true, sameSite: "Strict", path: "/" });
    return c.redirect(c.req.path, 303);
  };
}

/** Takes the same time wherever the two differ. */
function isSame(given: string, token: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
