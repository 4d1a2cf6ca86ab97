import { RemoteError, type Remote, type RemotePieces } from '@inpage-mcp/sync';

/** A remote, or its pieces, of which some functions are others. */
export function remoteWith<Target extends Remote | RemotePieces>(
  remote: Target,
  others: Partial<Target>,
): Target {
  return new Proxy(remote, {
    get: (target, name) => {
      if (name in others) return others[name as keyof Target];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** A remote that ends each time before it has written a record. */
export const readingFrom = (remote: Remote): Remote =>
  remoteWith(remote, {
    put: () => Promise.reject(new RemoteError('unavailable', 'It went away.')),
  });
