/** A new key for a write, also in a page without a secure context, where there is no `randomUUID()`. */
export function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
