import type { Context } from "hono";

/** Whether an AWS request says that it is signed with this key. The signature is not computed again: the key is random. */
export function isSignedWith(c: Context, accessKeyId: string): boolean {
  return c.req.header("Authorization")?.includes(`Credential=${accessKeyId}/`) ?? false;
}
