import { isObject } from '../wire/is-object.js';
import { FACTS } from './result-shapes.js';
import type { Shape } from '../wire/shapes.js';

/**
 * The entries of an app, such as resources or parts of an answer, in a form that official clients accept,
 * because they would refuse all entries for a wrong one. A wrong member is left out if it is optional, such
 * as annotations; otherwise the entry is left out as a whole. A warning in the console names the problem.
 *
 * @param shape The shape that each entry must have. Default: no entry is left out as a whole.
 */
export function usableEntries<Entry>(entries: readonly Entry[], shape?: Shape): Entry[] {
  return entries.flatMap((entry) => {
    const usable = isObject(entry) ? withUsableFacts(entry) : entry;
    const problem = shape?.(usable, 'it');
    if (problem === undefined) return [usable];
    warn(entry, problem);
    return [];
  });
}

function withUsableFacts<Entry extends object>(entry: Entry): Entry {
  const wrong = FACTS.filter(([name, shape]) => isForbidden(entry, name, shape));
  if (wrong.length === 0) return entry;
  const left = { ...entry } as Record<string, unknown>;
  for (const [name] of wrong) delete left[name];
  return left as Entry;
}

function isForbidden(entry: object, name: string, shape: Shape): boolean {
  const value: unknown = Object.hasOwn(entry, name) ? Reflect.get(entry, name) : undefined;
  const problem = value === undefined ? undefined : shape(value, name);
  if (problem === undefined) return false;
  warn(entry, problem);
  return true;
}

function warn(entry: unknown, problem: string): void {
  const { uri, type, name } = isObject(entry) ? entry : {};
  console.warn(`inpage-mcp: ${String(uri ?? type ?? name ?? entry)}: ${problem}; left out.`);
}
