/**
 * A copy in which plain objects and lists, at any depth, are not proxies: the state of frameworks has
 * proxies, but a message cannot have them. Other values, such as a Blob, stay the same.
 */
export function plainCopy<Value>(value: Value, copies = new Map<unknown, object>()): Value {
  if (!isPlain(value)) return value;
  const known = copies.get(value);
  if (known) return known as Value;
  const copy = Array.isArray(value) ? [] : {};
  // The copy is stored before its members are copied, because one of them may be the value itself.
  copies.set(value, copy);
  // A member `__proto__` is lost, because a message has no prototypes.
  for (const [name, member] of Object.entries(value))
    (copy as { [name: string]: unknown })[name] = plainCopy(member, copies);
  return copy as Value;
}

/** Whether a value is a list, or a plain object of any realm: its prototype has no further prototype. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * Posts a message, with plain copies instead of proxies.
 *
 * @throws {DataCloneError} for a value that no message can have, such as a function.
 */
export function postPlain(
  port: Pick<MessagePort, 'postMessage'>,
  message: unknown,
  transfer: Transferable[] = [],
): void {
  try {
    port.postMessage(message, transfer);
  } catch {
    // The message is copied only if it has to be, because it may be large.
    port.postMessage(plainCopy(message), transfer);
  }
}
