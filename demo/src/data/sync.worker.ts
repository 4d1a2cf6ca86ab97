import { serveSync } from '@inpage-mcp/sync/worker';
import type { SyncServer } from './sync-link.js';

serveSync(async ({ address, user, password }: SyncServer) => {
  // Only the code that communicates with this kind of server is loaded.
  if (/^wss?:/.test(address)) {
    const { natsRemote } = await import('@inpage-mcp/sync/nats');
    const credentials = { user, pass: password };
    return natsRemote({ servers: address, ...(user && { credentials: () => credentials }) });
  }
  const { couchdbRemote } = await import('@inpage-mcp/sync/couchdb');
  const bytes = new TextEncoder().encode(`${user}:${password}`);
  const authorization = `Basic ${btoa(String.fromCharCode(...bytes))}`;
  return couchdbRemote({ url: address, headers: () => ({ ...(user && { authorization }) }) });
});
