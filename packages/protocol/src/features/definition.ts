/** The maximum nesting depth of a definition. */
const MAX_DEPTH = 100;

/**
 * A copy of a definition in the form that messages can have. This also copies proxies, which frameworks use
 * for their state. Members that are `undefined` are left out.
 *
 * @param place The name of the definition, for the error.
 * @throws {TypeError} for a function, a symbol, a `BigInt`, a number that is not finite, and for a value that
 *   is nested deeper than 100 levels, such as a cycle. The error names the place.
 */
export function plainDefinition<Value>(value: Value, place: string, depth = 0): Value {
  const refuse = (what: string): never => {
    throw new TypeError(`${place} ${what}: no message can have that.`);
  };
  if (depth > MAX_DEPTH) refuse('is nested too deep, or in itself');
  if (typeof value === 'number' && !Number.isFinite(value)) refuse(`is ${value}`);
  if (['function', 'symbol', 'bigint'].includes(typeof value)) refuse(`is a ${typeof value}`);
  if (typeof value !== 'object' || value === null) return value;
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function')
    return plainDefinition(toJSON.call(value) as Value, place, depth + 1);
  const copy = (member: unknown, name: string | number): unknown =>
    plainDefinition(member, `${place}.${name}`, depth + 1);
  if (Array.isArray(value)) return value.map(copy) as Value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, copy(member, name)])) as Value;
}
