/** A proxy whose plain members are proxies, as the state of Vue, Svelte and MobX is. */
export function stateOf<Value extends object>(value: Value): Value {
  return new Proxy(value, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      return isPlain(member) ? stateOf(member) : member;
    },
  });
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}
