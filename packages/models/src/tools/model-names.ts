/**
 * The maximum length of a name that all APIs accept: OpenAI's limit for tools, and Anthropic's for arguments.
 */
const MAX_LENGTH = 64;

/** The rule for names that all APIs accept. */
export interface NameRule {
  /** The characters that at least one of the APIs refuses. */
  refused: RegExp;
  /** The required beginning of a name. */
  start: RegExp;
}

/**
 * Names by unique names that all APIs accept. A name that an API may refuse gets another one, because one
 * wrong name makes the API refuse the whole request.
 */
export function byModelName(
  names: Iterable<string>,
  { refused, start }: NameRule,
): Map<string, string> {
  const acceptedName = (name: string): string => {
    const letters = name.slice(0, MAX_LENGTH).replaceAll(refused, '_');
    return start.test(letters) ? letters : `_${letters}`.slice(0, MAX_LENGTH);
  };
  const all = [...new Set(names)];
  const isOdd = (name: string): boolean => acceptedName(name) !== name;
  // The names that stay come first, so that no other name takes their place.
  const named = new Map(all.filter((name) => !isOdd(name)).map((name) => [name, name]));
  const counts = new Map<string, number>();
  for (const name of all.filter(isOdd)) {
    const accepted = acceptedName(name);
    let unique = accepted;
    for (let count = counts.get(accepted) ?? 2; named.has(unique); count += 1) {
      const suffix = `_${count}`;
      unique = accepted.slice(0, MAX_LENGTH - suffix.length) + suffix;
      counts.set(accepted, count + 1);
    }
    named.set(unique, name);
  }
  return named;
}
