/** A text that is equal for equal JSON values, for any order of properties. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}:${canonicalText(member)}`,
  );
  return `{${members.toSorted().join()}}`;
}

/** Tests whether a value is equal to `expected`, as JSON. */
export function equalTo(expected: unknown): (value: unknown) => boolean {
  if (typeof expected !== 'object' || expected === null) return (value) => value === expected;
  const text = canonicalText(expected);
  return (value) => typeof value === 'object' && value !== null && canonicalText(value) === text;
}
