import type { Call, Resources } from '@inpage-mcp/protocol';
import { takesBlobs } from '../resources/contents/binary-extension.js';
import type { Connection } from '../access/connection-context.js';
import { rangeIn } from '../resources/contents/content-range.js';
import type { EncodedResources } from './encoded-resources.js';
import type { ProviderCall, ResourceContents } from '../resources/resource-provider.js';

/** Adapts the resources of one connection to the interface of the protocol. */
export function adaptResources(resources: EncodedResources): Resources<Connection> {
  return {
    get templates() {
      return resources.templates;
    },
    list: (cursor, call) => resources.list(cursor, call),
    read: (uri, call) => read(resources, uri, call),
    complete: (query, call) => resources.complete(query, call),
    listen: (listener) => resources.listen(listener),
  };
}

async function read(
  resources: EncodedResources,
  uri: string,
  call: Call<Connection>,
): Promise<ResourceContents[]> {
  const range = rangeIn(call.meta);
  const reading = new Reading(call);
  if (range) return [await resources.readRange(uri, range, reading)];
  return await resources.read(uri, reading);
}

/** A read by a client that may accept Blobs; the legacy revisions have no extensions. */
class Reading implements ProviderCall {
  readonly blobs: boolean;
  readonly #call: Call<Connection>;

  constructor(call: Call<Connection>) {
    this.blobs = call.era === 'modern' && takesBlobs(call.clientCapabilities);
    this.#call = call;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }
}
