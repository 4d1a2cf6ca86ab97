/** What the server says that it lets in (docs/limits.md), written once more to check it by. */
const MAX_DEPTH = 64;
const MAX_NODES = 50_000;
const MAX_BYTES = 1024 * 1024;
const BYTES_PER_VALUE = 8;

interface Spent {
  nodes: number;
  bytes: number;
}

/** Whether a message, as it is before it is cloned, is JSON and within the limits. */
export function isWithinBudget(message: unknown, maxDepth = MAX_DEPTH): boolean {
  return fits(message, maxDepth, { nodes: 0, bytes: 0 });
}

/** @param depthLeft How many more levels of objects there may be. */
function fits(value: unknown, depthLeft: number, spent: Spent): boolean {
  spent.nodes += 1;
  spent.bytes += typeof value === 'string' ? bytesOf(value) : BYTES_PER_VALUE;
  if (spent.nodes > MAX_NODES || spent.bytes > MAX_BYTES) return false;
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      if (value === null) return true;
      if (depthLeft === 0) return false;
      return Array.isArray(value)
        ? fitsArray(value, depthLeft, spent)
        : fitsObject(value, depthLeft, spent);
    default:
      return false;
  }
}

function fitsArray(array: readonly unknown[], depthLeft: number, spent: Spent): boolean {
  if (array.length > MAX_NODES || Object.keys(array).length !== array.length) return false;
  // `every` would pass over a hole: with a member of its own in its place, the count is right.
  return Array.from(array).every(
    (value) => value !== undefined && fits(value, depthLeft - 1, spent),
  );
}

function fitsObject(object: object, depthLeft: number, spent: Spent): boolean {
  if (Object.getPrototypeOf(object) !== Object.prototype) return false;
  return Object.entries(object).every(([key, value]) => {
    spent.bytes += bytesOf(key);
    return fits(value, depthLeft - 1, spent);
  });
}

function bytesOf(text: string): number {
  return text.length > MAX_BYTES ? text.length : new TextEncoder().encode(text).length;
}
