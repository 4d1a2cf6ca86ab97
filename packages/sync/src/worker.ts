// The function for the script of the sync's worker.
import { expose, type Remote as Proxied } from 'comlink';
import type { Remote } from './remotes/remote.js';
import {
  openSync,
  type SyncService,
  type SyncServiceParts,
  type SyncStatus,
} from './service/sync-service.js';

/** The commands that the page may send to a service. */
export type SyncCommands = Pick<
  SyncService,
  'join' | 'unlock' | 'invite' | 'removeDevice' | 'pause' | 'resume' | 'leave' | 'syncNow'
>;

/** The outcome of a call: comlink would lose the code of an error. */
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
  /** Sets whether the user sees the page. */
  setVisible(isVisible: boolean): void;
  /** Closes the database, because WebKit would keep it open for a terminated worker. */
  close(): Promise<void>;
}

/**
 * Serves the page that has started this worker; see `runtime.sync()`. To be called once, before any `await`.
 *
 * @param makeRemote Creates the adapter of the user's server from the `remote` that the page has passed: data
 *   that can be cloned, of the type that the parameter declares. Functions can be added here, such as one
 *   that fetches a token.
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
      // The types of a name and of its arguments match, which TypeScript cannot infer.
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
