import { couchdbRemote } from '@inpage-mcp/sync/couchdb';
import { serveSync } from '@inpage-mcp/sync/worker';

/** The worker of an app's sync, as in docs/guides/sync.md. */
serveSync(({ url, user, password }: { url: string; user: string; password: string }) =>
  couchdbRemote({
    url,
    headers: () => ({ authorization: `Basic ${btoa(`${user}:${password}`)}` }),
  }),
);
