/** Opens the dashboard and signs in: the page takes the token out of the address at once. */
export function signInLink(url: string, token: string): string {
  return `${url}/?token=${token}`;
}
