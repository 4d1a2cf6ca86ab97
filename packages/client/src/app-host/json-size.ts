/**
 * The maximum length of a message of an app, in UTF-16 code units of its texts: half of it holds a file of 12
 * MB in base64.
 */
const MAX_LENGTH = 32 * 1024 * 1024;

/** The maximum number of values in a message of an app. */
const MAX_VALUES = 200_000;

/**
 * Whether a message has only values that JSON has, and not too many of them. The cost of the check is limited
 * for any message: a text counts by its length, and the count ends at the limits.
 */
export function isModestJson(message: unknown): boolean {
  const waiting: unknown[] = [message];
  let [values, length] = [0, 0];
  while (waiting.length > 0) {
    const value = waiting.pop();
    values += 1;
    if (typeof value === 'string') length += value.length;
    else if (typeof value === 'bigint') return false;
    else if (typeof value === 'object' && value !== null) {
      if (!isPlain(value)) return false;
      // A hole counts, too: an array may have billions of them, and iterating over them takes minutes.
      if (Array.isArray(value)) values += holesOf(value);
      for (const key in value) {
        length += key.length;
        waiting.push((value as { [key: string]: unknown })[key]);
        if (waiting.length > MAX_VALUES) return false;
      }
    }
    if (values > MAX_VALUES || length > MAX_LENGTH) return false;
  }
  return true;
}

function holesOf(array: readonly unknown[]): number {
  return array.length > MAX_VALUES ? array.length : array.length - Object.keys(array).length;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null;
}
