import { RemoteError, type Remote } from '@inpage-mcp/sync';

/** A remote that ends each time before it has written a record. */
export function readingFrom(remote: Remote): Remote {
  const put = (): Promise<never> => Promise.reject(new RemoteError('unavailable', 'It went away.'));
  return new Proxy(remote, {
    get: (target, name) => {
      if (name === 'put') return put;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
