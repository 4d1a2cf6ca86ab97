// What the script of the sync's worker calls.
import { expose, type Remote as Proxied } from 'comlink';
import type { Remote } from './remotes/remote.js';
import {
  openSync,
  type SyncService,
  type SyncServiceParts,
  type SyncStatus,
} from './service/sync-service.js';

/** What the page may ask a service for. */
export type SyncCommands = Pick<
  SyncService,
  'join' | 'unlock' | 'invite' | 'removeDevice' | 'pause' | 'resume' | 'leave' | 'syncNow'
>;

/** How a call has ended: comlink would leave out the code of an error. */
export type Outcome<Value> = { value: Value } | { error: { code: string; message: string } };

/** The worker as the page sees it. */
export interface SyncHost {
  /** Opens the database and the remote. To be called once, before all others. */
  open(
    databaseName: string,
    remote: unknown,
    onstatus: (status: SyncStatus) => void,
  ): Promise<Outcome<SyncStatus>>;
  run<Name extends keyof SyncCommands>(
    name: Name,
    args: Parameters<SyncCommands[Name]>,
  ): Promise<Outcome<Awaited<ReturnType<SyncCommands[Name]>>>>;
  /** Whether the user sees the page. */
  setVisible(isVisible: boolean): void;
  /** Closes the database: WebKit would keep it open for a worker that was ended. */
  close(): Promise<void>;
}

/**
 * Serves the page that has started this worker; see `runtime.sync()`. To be called once, before anything
 * is awaited.
 *
 * @param makeRemote Makes the adapter of the user's server, from what the page has passed as `remote`:
 *   data that can be cloned, of the type that it names. Functions can be added here, such as one that
 *   fetches a token.
 */
export function serveSync(
  makeRemote: (options: never) => Remote | Promise<Remote>,
  options: Pick<SyncServiceParts, 'keepPiecesMs'> = {},
): void {
  let service: SyncService | undefined;
  const opened = (): SyncService => {
    if (!service) throw new Error('The sync is not open.');
    return service;
  };
  const host: SyncHost = {
    open: (databaseName, given, onstatus) =>
      outcomeOf(async () => {
        const remote = await makeRemote(given as never);
        service = await openSync({ databaseName, remote, ...options, onstatus });
        return service.status;
      }),
    run: (name, args) =>
      // The types of a name and of its arguments belong together, which TypeScript cannot see.
      outcomeOf(() => (opened()[name] as (...given: unknown[]) => never)(...args)),
    setVisible: (isVisible) => service?.setVisible(isVisible),
    close: async () => await service?.close(),
  };
  addEventListener('online', () => service?.retry());
  expose(host);
}

/** The worker as comlink wraps it. */
export type SyncProxy = Proxied<SyncHost>;

async function outcomeOf<Value>(call: () => Value | Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { value: await call() };
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: string };
    return {
      error: { code: typeof code === 'string' ? code : 'failed', message: String(message) },
    };
  }
}
