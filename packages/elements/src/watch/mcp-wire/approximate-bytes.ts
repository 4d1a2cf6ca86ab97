/** How many values of a message are looked at: a few milliseconds of work. */
const MAX_VALUES = 200_000;

/** The assumed size of a message with more values than that. */
const LARGE_BYTES = 16 * 1024 * 1024;

/**
 * About how long a value is as JSON, in characters. Also a fair estimate of its memory: an object counts
 * once, wherever it occurs, and may contain itself. Takes a few milliseconds at most: if the value has very
 * many parts, the result is at least 16 MiB.
 */
export function approximateBytes(value: unknown): number {
  const rest: unknown[] = [value];
  const seen = new Set<object>();
  let bytes = 0;
  for (let visited = 0; rest.length > 0; visited += 1) {
    if (visited === MAX_VALUES) return Math.max(bytes, LARGE_BYTES);
    const next = rest.pop();
    if (typeof next === 'string') bytes += next.length + 2;
    else if (typeof next !== 'object' || next === null || seen.has(next)) bytes += 5;
    else {
      seen.add(next);
      bytes += pushParts(next, rest);
    }
  }
  return bytes;
}

/** Adds the parts of an object to the list. Returns the size of the rest of it. */
function pushParts(value: object, parts: unknown[]): number {
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return value.byteLength;
  // A handle: the bytes are not in memory.
  if (value instanceof Blob) return 100;
  if (value instanceof Map || value instanceof Set) return pushEntries(value, parts);
  const room = MAX_VALUES - parts.length;
  if (Array.isArray(value)) {
    const length = Math.min(value.length, room);
    for (let index = 0; index < length; index += 1) parts.push(value[index]);
    return value.length + 2;
  }
  let bytes = 2;
  let count = 0;
  for (const key in value) {
    if (count >= room) break;
    count += 1;
    bytes += key.length + 4;
    parts.push((value as { [key: string]: unknown })[key]);
  }
  return bytes;
}

function pushEntries(collection: Map<unknown, unknown> | Set<unknown>, parts: unknown[]): number {
  for (const [key, value] of collection.entries()) {
    if (parts.length >= MAX_VALUES) break;
    parts.push(key, value);
  }
  return collection.size + 2;
}
