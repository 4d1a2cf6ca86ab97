import { isObject } from '../wire/is-object.js';
import { ANNOTATIONS, ICONS } from './result-shapes.js';
import type { Shape } from '../wire/shapes.js';

/** What official clients check of an entry, and refuse the whole answer for. */
const FACTS: { readonly [name: string]: Shape } = { annotations: ANNOTATIONS, icons: ICONS };

/**
 * The entries of a list that an app has given, such as resources or contents, without annotations and icons
 * that the specification forbids: official clients would refuse all entries for one of them. The app is told in
 * the console.
 */
export function withUsableFacts<Entry>(entries: readonly Entry[]): Entry[] {
  return entries.map((entry) => {
    const wrong = Object.entries(FACTS).filter(([name, shape]) => problemIn(entry, name, shape));
    if (wrong.length === 0) return entry;
    const names = wrong.map(([name]) => name);
    return Object.fromEntries(
      Object.entries(entry as object).filter(([name]) => !names.includes(name)),
    ) as Entry;
  });
}

function problemIn(entry: unknown, name: string, shape: Shape): boolean {
  if (!isObject(entry) || entry[name] === undefined) return false;
  const { uri, type } = entry;
  const problem = shape(entry[name], `${name} of ${String(uri ?? type)}`);
  if (problem !== undefined) console.warn(`inpage-mcp: ${problem}; left out.`);
  return problem !== undefined;
}
