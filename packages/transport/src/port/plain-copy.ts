/**
 * A copy in which plain objects and lists, at any depth, are no proxies, as the state of frameworks is: no
 * message can have a proxy. What is neither, such as a Blob, stays the same.
 */
export function plainCopy<Value>(value: Value, copies = new Map<unknown, object>()): Value {
  if (!isPlain(value)) return value;
  const known = copies.get(value);
  if (known) return known as Value;
  const copy = Array.isArray(value) ? [] : {};
  // Before its members: one of them may be the value itself.
  copies.set(value, copy);
  // A member `__proto__` is lost: a message has no prototypes.
  for (const [name, member] of Object.entries(value))
    (copy as { [name: string]: unknown })[name] = plainCopy(member, copies);
  return copy as Value;
}

/** Of any realm: the prototype of a plain object is the last one. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * Posts a message, with plain copies in the place of proxies.
 *
 * @throws {DataCloneError} for what no message can have, such as a function.
 */
export function postPlain(
  port: Pick<MessagePort, 'postMessage'>,
  message: unknown,
  transfer: Transferable[] = [],
): void {
  try {
    port.postMessage(message, transfer);
  } catch {
    // Copied only where it has to be: a message may be large.
    port.postMessage(plainCopy(message), transfer);
  }
}
