/**
 * A remote object whose methods are looked up once, and kept as long as it lives.
 *
 * comlink makes a new proxy at each look and has it finalized when it is collected. A finalizer that
 * runs while the page is in the back/forward cache throws the page out of it.
 */
export function keepMethods<Remote extends object>(remote: Remote): Remote {
  const kept = new Map<PropertyKey, unknown>();
  return new Proxy(remote, {
    get(target, name) {
      if (!kept.has(name)) kept.set(name, Reflect.get(target, name));
      return kept.get(name);
    },
  });
}
