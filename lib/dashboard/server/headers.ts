import type { MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";

/** Nothing but our own files, and no script or style within the document; nobody may frame the page. */
export const safeHeaders: MiddlewareHandler = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'"],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
  referrerPolicy: "no-referrer",
  xFrameOptions: "DENY",
  // It is http, on this machine.
  strictTransportSecurity: false,
});

/** What the API answers is of this moment, and for this reader alone. */
export const notStored: MiddlewareHandler = async (c, next) => {
  await next();
  c.header("Cache-Control", "no-store");
};
