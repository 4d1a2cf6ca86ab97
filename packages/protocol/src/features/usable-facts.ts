import { isObject } from '../wire/is-object.js';
import { ANNOTATIONS, ICONS } from './result-shapes.js';
import type { Shape } from '../wire/shapes.js';

/** What official clients check of an entry, and refuse the whole answer for. */
const FACTS: readonly (readonly [name: string, shape: Shape])[] = [
  ['annotations', ANNOTATIONS],
  ['icons', ICONS],
];

/**
 * The entries of a list that an app has given, such as resources or contents, without annotations and icons
 * that the specification forbids: official clients would refuse all entries for one of them. The app is told in
 * the console.
 */
export function withUsableFacts<Entry>(entries: readonly Entry[]): Entry[] {
  return entries.map((entry) => {
    if (!isObject(entry)) return entry;
    const wrong = FACTS.filter(([name, shape]) => isForbidden(entry, name, shape));
    if (wrong.length === 0) return entry;
    const left = { ...entry };
    for (const [name] of wrong) delete left[name];
    return left;
  });
}

function isForbidden(entry: Record<string, unknown>, name: string, shape: Shape): boolean {
  const problem = entry[name] === undefined ? undefined : shape(entry[name], name);
  if (problem === undefined) return false;
  console.warn(`inpage-mcp: ${String(entry['uri'] ?? entry['type'])}: ${problem}; left out.`);
  return true;
}
