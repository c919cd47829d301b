const MOST = 10;

/** Names for a message: ten of them, and how many there are besides. */
export function listed(names: readonly string[]): string {
  const first = names.slice(0, MOST).join(", ");
  return names.length > MOST ? `${first} and ${names.length - MOST} more` : first;
}
