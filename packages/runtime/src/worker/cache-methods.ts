/**
 * Wraps a remote object so that each method is looked up once and then cached.
 *
 * comlink makes a new proxy for each lookup, with a finalizer. If the finalizer runs while the page
 * is in the back/forward cache, the browser evicts the page from the cache.
 */
export function cacheMethods<Remote extends object>(remote: Remote): Remote {
  const cache = new Map<PropertyKey, unknown>();
  return new Proxy(remote, {
    get(target, name) {
      if (!cache.has(name)) cache.set(name, Reflect.get(target, name));
      return cache.get(name);
    },
  });
}
