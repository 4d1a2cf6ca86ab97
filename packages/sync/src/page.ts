// The page's handle on the worker of the sync.
import { proxy, wrap } from 'comlink';
import type { JoinOptions, SyncStatus as DeviceStatus } from './service/sync-service.js';
import type { Outcome, SyncCommands, SyncHost, SyncProxy } from './worker.js';

/**
 * The timeout for the worker to load and to answer, in milliseconds. The timeout of a command, which includes
 * its server, is shorter.
 */
export const ANSWER_TIMEOUT_MS = 90_000;

/** The time that a worker has to close its database before it is terminated, in milliseconds. */
const CLOSING_MS = 1_000;

/** The time that the page is hidden before its worker may rest, in milliseconds. */
const HIDDEN_MS = 30_000;

/** Options of the sync of a page. */
export interface SyncOptions {
  /** Creates the worker, whose script calls `serveSync()`. Called again if the worker did not answer. */
  worker: () => Worker;
  /**
   * The data from which the script creates the adapter of the user's server, such as an address and
   * credentials: data that can be cloned. Neither the worker that serves MCP nor a guest ever sees it.
   */
  remote: unknown;
}

/** A place where two devices had changed the same. Nothing of either is lost. */
export interface SyncConflict {
  /** The address: `note:///{id}` or `file:///{path}`. A note contains both versions, one after the other. */
  uri: string;
  /** The address of the other version, if it is not in the same entry. */
  copyUri?: string;
  /** The time when it was found, in milliseconds since 1970. */
  at: number;
}

/** The status of the sync of this device. */
export interface SyncStatus extends Omit<DeviceStatus, 'conflicts'> {
  /** The conflicts, the latest last; at most 100. */
  conflicts: readonly SyncConflict[];
}

/**
 * A failed command. The code has the reason: the codes of `VaultError` and `RemoteError`, `invalid` for a
 * name of a device that is not allowed, `timeout` if the worker does not answer, `worker-failed` if its
 * script cannot be loaded, `closed` after the end, `failed` for anything else.
 */
export class SyncError extends Error {
  override readonly name = 'SyncError';
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * The sync of this device, on the page. Dispatches `status` whenever its status has changed, in every tab.
 * Its commands reject with a {@link SyncError}.
 */
export class Sync extends EventTarget {
  readonly #options: SyncOptions & { databaseName: string };
  readonly #closing = new AbortController();
  #closed: Promise<void> | undefined;
  #worker!: Worker;
  #host!: SyncProxy;
  #status!: SyncStatus;

  /** Creates a closed sync; use {@link openPageSync}. */
  constructor(options: SyncOptions & { databaseName: string }) {
    super();
    this.#options = options;
  }

  /** Aborts when the sync is closed. */
  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  /** The last status, regardless of which tab works. */
  get status(): SyncStatus {
    return this.#status;
  }

  /** Starts the worker. */
  async open(): Promise<this> {
    await this.#start();
    const { signal } = this.#closing;
    let timer: ReturnType<typeof setTimeout>;
    const see = (): void => {
      clearTimeout(timer);
      const isVisible = document.visibilityState === 'visible';
      timer = setTimeout(() => void this.#host.setVisible(isVisible), isVisible ? 0 : HIDDEN_MS);
    };
    document.addEventListener('visibilitychange', see, { signal });
    signal.addEventListener('abort', () => clearTimeout(timer));
    see();
    return this;
  }

  /** Joins the devices of the user: see `SyncService.join`. */
  async join(options: JoinOptions): Promise<{ recoveryCode?: string }> {
    // A copy as a plain object: the state of a framework is a proxy, which no message can have.
    return await this.#run('join', { ...options });
  }

  /** Continues with the keys that another device has changed. */
  async unlock(secret: string): Promise<void> {
    await this.#run('unlock', secret);
  }

  /** Resolves with a code with which another device joins within ten minutes. */
  async invite(passphrase: string): Promise<string> {
    return await this.#run('invite', passphrase);
  }

  /** Removes another device. Resolves with the new recovery code, to be shown once. */
  async removeDevice(id: string, passphrase: string): Promise<string> {
    return await this.#run('removeDevice', id, passphrase);
  }

  async pause(): Promise<void> {
    await this.#run('pause');
  }

  async resume(): Promise<void> {
    await this.#run('resume');
  }

  /** Begins a round at once, which compares all known versions with the server: it lists its records. */
  syncNow(): void {
    this.#run('syncNow').catch(() => undefined);
  }

  /** Leaves the sync: notes and files stay, here and on the other devices. */
  async leave(): Promise<void> {
    await this.#run('leave');
  }

  /** Closes the sync on this page, within a second: unsent changes stay marked. Never rejects. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort(new SyncError('closed', 'The sync is closed.'));
    const worker = this.#worker;
    const late = new Promise((resolve) => setTimeout(resolve, CLOSING_MS));
    await Promise.race([this.#host.close().catch(() => undefined), late]);
    worker.terminate();
  }

  async #start(): Promise<void> {
    const { databaseName, remote } = this.#options;
    const worker = this.#options.worker();
    this.#worker = worker;
    this.#host = wrap<SyncHost>(worker);
    // Only the start fails after an error: a worker that runs continues.
    const failed = new Promise<never>((_resolve, reject) => {
      worker.addEventListener('error', ({ message }) => {
        reject(
          new SyncError(
            'worker-failed',
            `The worker of the sync has failed. ${message || 'Is its script there?'}`,
          ),
        );
      });
    });
    const show = proxy((status: DeviceStatus) => this.#show(status));
    try {
      const opened = this.#host.open(databaseName, remote, show) as Promise<Outcome<DeviceStatus>>;
      this.#show(await this.#answer(Promise.race([opened, failed])));
    } catch (error) {
      worker.terminate();
      throw error;
    }
  }

  async #run<Name extends keyof SyncCommands>(
    name: Name,
    ...args: Parameters<SyncCommands[Name]>
  ): Promise<Awaited<ReturnType<SyncCommands[Name]>>> {
    this.#closing.signal.throwIfAborted();
    const worker = this.#worker;
    const done = this.#host.run(name, args) as Promise<
      Outcome<Awaited<ReturnType<SyncCommands[Name]>>>
    >;
    try {
      return await this.#answer(done);
    } catch (error) {
      // The next command finds a new worker. Another command may have started it already.
      const isLate = (error as SyncError).code === 'timeout';
      if (isLate && worker === this.#worker) await this.#startAgain();
      throw error;
    }
  }

  async #startAgain(): Promise<void> {
    this.#worker.terminate();
    await this.#start().catch(() => undefined);
    // The new worker takes the page for visible.
    void this.#host.setVisible(document.visibilityState === 'visible');
  }

  /** The answer of the worker, with a timeout, because comlink would wait forever. */
  async #answer<Value>(answer: Promise<Outcome<Value>>): Promise<Value> {
    const { signal } = this.#closing;
    const late = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    const ended = new Promise<never>((_resolve, reject) => {
      late.addEventListener('abort', () =>
        reject(new SyncError('timeout', 'The worker of the sync does not answer.')),
      );
      signal.addEventListener('abort', () => reject(signal.reason as SyncError), { signal: late });
    });
    const outcome = await Promise.race([answer, ended]);
    if ('value' in outcome) return outcome.value;
    throw new SyncError(outcome.error.code, outcome.error.message);
  }

  #show({ conflicts, ...status }: DeviceStatus): void {
    this.#status = {
      ...status,
      conflicts: conflicts.map(({ kind, key, copy, at }) => ({
        uri: uriOf(kind, key),
        ...(copy !== undefined && { copyUri: uriOf(kind, copy) }),
        at,
      })),
    };
    this.dispatchEvent(new Event('status'));
  }
}

/**
 * Opens the sync of this device on this page: see `runtime.sync()`.
 *
 * @throws SyncError `worker-failed`, `timeout`, or the code of the store if the database cannot be opened.
 */
export async function openPageSync(options: SyncOptions & { databaseName: string }): Promise<Sync> {
  return await new Sync(options).open();
}

/** Matches the paths of files that are also other pathnames of the server: their first byte is escaped. */
const RESERVED = /^(?:search|storage|activity|sync|[0-7][0-9A-HJKMNP-TV-Z]{25})$/;

/** The address of an entry, as the server maps it (docs/resources.md). */
export function uriOf(kind: 'note' | 'file', key: string): string {
  const encoded = key.split('/').map(encodeURIComponent).join('/');
  if (kind === 'note' || !RESERVED.test(key)) return `${kind}:///${encoded}`;
  return `file:///%${key.charCodeAt(0).toString(16).toUpperCase()}${encoded.slice(1)}`;
}
