/** The same text for the same JSON, whatever the order of properties. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}:${canonicalText(member)}`,
  );
  return `{${members.toSorted().join()}}`;
}

/** Whether a value is the same JSON as `expected`. */
export function equals(expected: unknown): (value: unknown) => boolean {
  if (typeof expected !== 'object' || expected === null) return (value) => value === expected;
  const text = canonicalText(expected);
  return (value) => typeof value === 'object' && value !== null && canonicalText(value) === text;
}
