import type { Remote } from '../packages/sync/src/index.js';
import { couchdbRemote } from '../packages/sync/src/remotes/couchdb.js';
import { natsRemote } from '../packages/sync/src/remotes/nats.js';

/** A place at one of the servers that scripts/bench.mjs has started. */
export interface BenchRemote {
  engine: 'nats' | 'pouchdb';
  port: number;
  /** Of the stream or the database. */
  name: string;
}

/** Of the user of those servers. */
export const AUTHORIZATION = `Basic ${btoa('user:secret')}`;

export const urlOf = ({ port, name }: BenchRemote): string => `http://127.0.0.1:${port}/${name}`;

export function remoteOf(remote: BenchRemote): Remote {
  if (remote.engine === 'pouchdb')
    return couchdbRemote({
      url: urlOf(remote),
      headers: () => ({ authorization: AUTHORIZATION }),
    });
  return natsRemote({
    servers: `ws://127.0.0.1:${remote.port}`,
    stream: remote.name,
    credentials: () => ({ user: 'user', pass: 'secret' }),
  });
}
