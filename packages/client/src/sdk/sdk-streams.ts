import { DEFAULT_TIMEOUT_MS } from '../api/request-options.js';
import type { ClientConnection } from '../connection/client-connection.js';
import { ResourceSubscriptions } from '../subscriptions/resource-subscriptions.js';
import type { Listen } from '../subscriptions/streams.js';
import { translateError } from './sdk-errors.js';
import type { SdkClient } from './sdk-types.js';

/**
 * The function with which a client of the SDK opens a stream: in the modern era by its `listen`, in the
 * legacy era by `resources/subscribe`.
 */
export function listenIn(client: SdkClient, connection: ClientConnection): Listen {
  if (client.getProtocolEra?.() !== 'modern') {
    const subscriptions = new ResourceSubscriptions(connection);
    return (filter, signal) => subscriptions.listen(filter, signal);
  }
  return async (filter, signal) => {
    const args = [filter, { signal, timeout: DEFAULT_TIMEOUT_MS }] as unknown as [never, never];
    try {
      return await client.listen!(...args);
    } catch (error) {
      throw translateError(error, 'subscriptions/listen', DEFAULT_TIMEOUT_MS);
    }
  };
}
