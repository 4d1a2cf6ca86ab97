import type { ProviderHost } from '../provider-host.js';
import type { ResourceProvider } from '../resource-provider.js';

/**
 * The folders of the disk that the page mounts (`runtime.mountFolder`), as resources: `disk:///{+path}`.
 * Their code is loaded when the first one is mounted.
 */
export function disk(): (host: Pick<ProviderHost, 'disk'>) => ResourceProvider {
  return (host) => host.disk.serve();
}
