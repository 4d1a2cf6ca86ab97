/** Fields without those that are undefined: where a type says optional, undefined is not the same. */
export function omitUndefined<Fields extends object>(
  fields: Fields,
): { [Key in keyof Fields]: Exclude<Fields[Key], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof Fields]: Exclude<Fields[Key], undefined> };
}
