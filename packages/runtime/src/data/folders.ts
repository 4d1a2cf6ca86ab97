import type {
  Control,
  DiskNotLoaded,
  FolderInfo,
  MountOptions,
  Outcome,
} from '@inpage-mcp/server/control-plane';
import type { Remote } from 'comlink';
import type { WorkerSupervisor } from '../supervision/worker-supervisor.js';
import { loadingError } from '../worker/load-module.js';
import { isWorkerGone, RuntimeError, snapshotOf } from '../worker/runtime-error.js';
import { runtimeEvent, type FoldersEvent } from '../worker/runtime-events.js';
import type { ServerWorker } from '../worker/server-worker.js';
import { KeptFolders, type KeptFolder } from './kept-folders.js';
import { keptMarkerKey } from './kept-marker.js';

/** The interval at which a visible page checks for changes that the browser has not reported. */
const LOOK_MS = 30_000;

/** The code of a call whose worker could not load the script of the folders. */
const NOT_LOADED: DiskNotLoaded = 'disk-not-loaded';

/** Options for mounting a folder. */
export interface MountFolderOptions extends MountOptions {
  /** Whether it is mounted again at the next visit, and in the other tabs. Default: true. */
  keep?: boolean | undefined;
}

/** A folder of the disk that the page serves. */
export interface MountedFolder extends Readonly<FolderInfo> {
  /** The handle of the folder that the user has opened. */
  readonly handle: FileSystemDirectoryHandle;
  /**
   * Asks the user to allow the folder again, in a state of `permission`. To be called in a click.
   * Resolves with the state after that.
   */
  allow(): Promise<FolderInfo['state']>;
  /**
   * Stops serving the folder, and forgets it. Does nothing if it is not mounted. Rejects with `failed` if this
   * tab no longer serves it, but the browser could not forget it.
   */
  unmount(): Promise<void>;
}

/** A folder, kept for the next worker. */
interface Mount {
  handle: FileSystemDirectoryHandle;
  options: MountOptions;
  isKept: boolean;
}

/** Calls the worker for its folders; `script` is the address of their code. */
type FoldersCall<Value> = (control: Remote<Control>, script: string) => Promise<Outcome<Value>>;

/** The folders of the page. Loaded when the page mounts one, or has kept one. */
export class FoldersOfPage {
  readonly #supervisor: WorkerSupervisor;
  readonly #events: EventTarget;
  readonly #databaseName: string;
  readonly #kept: KeptFolders;
  readonly #script: string;
  /** The mounted folders, by their names. */
  readonly #mounts = new Map<string, Mount>();
  /** The names of unmounted folders that could not be forgotten; this page does not mount them again. */
  readonly #unforgotten = new Set<string>();
  #infos: readonly FolderInfo[] = [];
  /**
   * The end of the last change. Changes are made one at a time, so that two tabs, or two clicks, cannot mount
   * one folder twice.
   */
  #turn: Promise<unknown> = Promise.resolve();

  /**
   * @param events The runtime, which dispatches `folders`, and gets `error`.
   * @param script The address of the script that the worker loads.
   */
  constructor(
    supervisor: WorkerSupervisor,
    events: EventTarget,
    databaseName: string,
    script: string,
  ) {
    this.#script = script;
    this.#supervisor = supervisor;
    this.#events = events;
    this.#databaseName = databaseName;
    this.#kept = new KeptFolders(databaseName);
    const { ended: signal } = supervisor;
    events.addEventListener('folders', (event) => (this.#infos = (event as FoldersEvent).folders), {
      signal,
    });
    const timer = setInterval(() => this.#look(), LOOK_MS);
    signal.addEventListener('abort', () => clearInterval(timer));
    addEventListener('focus', () => this.#look(), { signal });
    document.addEventListener('visibilitychange', () => this.#look(), { signal });
  }

  /** @see Runtime.mountFolder */
  async mount(
    handle: FileSystemDirectoryHandle,
    given: MountFolderOptions,
  ): Promise<MountedFolder> {
    // The options are copied now, because the app may change the object before the next worker gets it.
    const { keep = true, ...options } = snapshotOf(given);
    if (handle instanceof FileSystemDirectoryHandle && !(await isAllowed(handle, options.write)))
      throw new RuntimeError('permission', 'The user has not allowed the page to use the folder.');
    return await this.#inTurn(async () => {
      const info = await this.#mount(handle, options);
      const { name } = info;
      const mount = { handle, options: { ...options, name }, isKept: false };
      // The worker may die before the browser has kept the folder.
      this.#mounts.set(name, mount);
      this.#unforgotten.delete(name);
      if (keep) mount.isKept = await this.#keep({ name, handle, options: mount.options });
      else await this.#forget(name);
      return this.#folderOf(info, handle);
    });
  }

  /** @see Runtime.folders */
  async all(): Promise<MountedFolder[]> {
    await this.#mountKept();
    const infos = this.#mounts.size > 0 ? await this.#refresh() : [];
    return infos.flatMap((info) => {
      const mount = this.#mounts.get(info.name);
      return mount ? [this.#folderOf(info, mount.handle)] : [];
    });
  }

  /** Mounts the folders that are kept, and unmounts those that another tab no longer keeps. */
  async #mountKept(): Promise<void> {
    await this.#inTurn(async () => {
      const kept = await this.#kept.all().catch(() => undefined);
      if (!kept) return;
      for (const { name, handle, options } of kept) {
        if (this.#unforgotten.has(name)) continue;
        const known = this.#mounts.get(name);
        const isSame = await known?.handle.isSameEntry(handle);
        // Another tab may have changed its options: it may be closed to guests now.
        if (isSame && JSON.stringify(known?.options) === JSON.stringify(options)) continue;
        // Another tab may have given its name to another folder.
        if (isSame === false) await this.#unmount(name);
        // A folder that cannot be mounted does not prevent the others from being mounted.
        await this.#mount(handle, options).then(
          () => this.#mounts.set(name, { handle, options, isKept: true }),
          (error: unknown) => this.#reportFailure(name, error),
        );
      }
      for (const [name, { isKept }] of this.#mounts) {
        if (isKept && !kept.some((one) => one.name === name)) await this.#unmount(name);
      }
    });
  }

  /**
   * Mounts every folder on a new worker, before any other call. Rejects only if the worker has ended. Takes
   * no turn, because the change that has the turn may wait for this worker; its call comes after these.
   */
  async restore(server: ServerWorker): Promise<void> {
    const restored = [...this.#mounts].map(async ([name, mount]) => {
      try {
        await this.#callOn(server, mounting(mount.handle, mount.options));
      } catch (error) {
        // The next worker mounts it if this one has ended, and otherwise the next look for the folders.
        this.#reportFailure(name, error);
        if (mount.isKept && this.#mounts.get(name) === mount) this.#mounts.delete(name);
      }
    });
    await Promise.all(restored);
  }

  /**
   * Reports a folder that cannot be mounted.
   *
   * @throws The error, if the worker has ended.
   */
  #reportFailure(name: string, error: unknown): void {
    if (isWorkerGone(error)) throw error;
    const message = `The folder ${name} could not be mounted: ${(error as Error).message}`;
    this.#events.dispatchEvent(runtimeEvent('error', { message }));
  }

  #mount(handle: FileSystemDirectoryHandle, options: MountOptions): Promise<FolderInfo> {
    return this.#call(mounting(handle, options));
  }

  #call<Value>(call: FoldersCall<Value>): Promise<Value> {
    return this.#supervisor.runWithRetry((server) => this.#callOn(server, call));
  }

  async #callOn<Value>(server: ServerWorker, call: FoldersCall<Value>): Promise<Value> {
    try {
      return await server.call((control) => call(control, this.#script));
    } catch (error) {
      if ((error as { code?: unknown }).code === NOT_LOADED) throw await loadingError(error);
      throw error;
    }
  }

  #folderOf(info: FolderInfo, handle: FileSystemDirectoryHandle): MountedFolder {
    const current = (): FolderInfo => this.#infos.find(({ name }) => name === info.name) ?? info;
    return {
      ...info,
      get state() {
        return current().state;
      },
      handle,
      allow: async () => {
        await isAllowed(handle, info.write);
        const infos = await this.#refresh();
        return infos.find(({ name }) => name === info.name)?.state ?? 'gone';
      },
      unmount: () =>
        this.#inTurn(async () => {
          const wasKept = this.#mounts.get(info.name)?.isKept;
          const isForgotten = await this.#forget(info.name);
          await this.#unmount(info.name);
          if (wasKept && !isForgotten) throw unforgottenError(info.name);
        }),
    };
  }

  async #unmount(name: string): Promise<void> {
    this.#mounts.delete(name);
    await this.#call((control, script) => control.unmountFolder(script, name));
  }

  /** Keeps a folder for the next visit. Resolves with `false` if it is mounted in this tab only. */
  async #keep(folder: KeptFolder): Promise<boolean> {
    try {
      await this.#kept.put(folder);
    } catch {
      return false;
    }
    if (markKeptFolders(this.#databaseName, true)) return true;
    // Without the marker, no other page looks for folders.
    await this.#forget(folder.name);
    return false;
  }

  /** Forgets a kept folder. Resolves with whether it is forgotten. */
  async #forget(name: string): Promise<boolean> {
    try {
      await this.#kept.delete(name);
      markKeptFolders(this.#databaseName, (await this.#kept.all()).length > 0);
      this.#unforgotten.delete(name);
      return true;
    } catch {
      this.#unforgotten.add(name);
      return false;
    }
  }

  /** Checks for changes that the browser has not reported. */
  #look(): void {
    if (document.visibilityState === 'visible' && this.#mounts.size > 0)
      this.#refresh().catch(() => undefined);
  }

  async #refresh(): Promise<FolderInfo[]> {
    const infos = await this.#call((control, script) => control.refreshFolders(script));
    this.#infos = infos;
    return infos;
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return await result;
  }
}

const unforgottenError = (name: string): RuntimeError =>
  new RuntimeError(
    'failed',
    `The folder ${name} is closed in this tab, but the browser could not forget it: it will be open again at the next visit.`,
  );

function mounting(
  handle: FileSystemDirectoryHandle,
  options: MountOptions,
): FoldersCall<FolderInfo> {
  return (control, script) => control.mountFolder(script, handle, options);
}

/** Asks the user if that is possible now: the browser asks only after a click. */
async function isAllowed(
  handle: FileSystemDirectoryHandle & Partial<PermissionOfHandle>,
  write = false,
): Promise<boolean> {
  const descriptor = { mode: write ? 'readwrite' : 'read' } as const;
  // A handle of the page's own storage needs no permission.
  const state = (await handle.queryPermission?.(descriptor)) ?? 'granted';
  if (state !== 'prompt') return state === 'granted';
  if (!navigator.userActivation?.isActive) return false;
  return (await handle.requestPermission?.(descriptor)) === 'granted';
}

interface PermissionOfHandle {
  queryPermission(descriptor: { mode: 'read' | 'readwrite' }): Promise<PermissionState>;
  requestPermission(descriptor: { mode: 'read' | 'readwrite' }): Promise<PermissionState>;
}

/**
 * Sets or removes the marker for the other tabs and the next visit.
 *
 * @returns Whether this was possible: a full storage accepts no marker.
 */
function markKeptFolders(databaseName: string, hasSome: boolean): boolean {
  const key = keptMarkerKey(databaseName);
  try {
    if (hasSome) localStorage.setItem(key, crypto.randomUUID());
    else localStorage.removeItem(key);
    return true;
  } catch {
    return false;
  }
}
