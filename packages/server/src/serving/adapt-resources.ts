import type { Call, Resources } from '@inpage-mcp/protocol';
import { takesBlobs } from '../resources/contents/binary-extension.js';
import type { Connection } from '../access/connection-context.js';
import { rangeIn } from '../resources/contents/content-range.js';
import type { EncodedResources } from './encoded-resources.js';
import type { ResourceCall, ResourceContents } from '../resources/resource-provider.js';
import { hasSeveralContents } from '../resources/resource-uris.js';

/** Adapts the resources of one connection to the interface of the protocol. */
export function adaptResources(resources: EncodedResources): Resources<Connection> {
  return {
    get templates() {
      return resources.templates;
    },
    list: (cursor, call) => resources.list(cursor, call),
    isHeavy: hasSeveralContents,
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
  const reading: ResourceCall = {
    // The legacy revisions have no extensions.
    blobs: call.era === 'modern' && takesBlobs(call.clientCapabilities),
    // The signal of a call is created on first use.
    get signal() {
      return call.signal;
    },
  };
  if (range) return [await resources.readRange(uri, range, reading)];
  return await resources.read(uri, reading);
}
