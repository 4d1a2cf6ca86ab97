import type { Remote } from '@inpage-mcp/sync';

/** A remote that ends with a round after so many calls. */
export function endingAfter(remote: Remote, calls: number, controller: AbortController): Remote {
  let left = calls;
  const count = (): void => {
    left -= 1;
    if (left <= 0) controller.abort(new Error('It was ended.'));
  };
  const counted = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      get(_, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (name === 'pieces') return counted(value as object);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]): unknown => {
          count();
          return Reflect.apply(value as () => unknown, target, args);
        };
      },
    });
  return counted(remote);
}
