import type { MountOptions } from '@inpage-mcp/server/control-plane';
import { useObjectStore } from './use-object-store.js';

/** A folder that is kept for the next visit. */
export interface KeptFolder {
  name: string;
  handle: FileSystemDirectoryHandle;
  options: MountOptions;
}

const STORE = 'folders';

/**
 * The folders that are kept for the next visit, in a separate database, because IndexedDB can store handles.
 */
export class KeptFolders {
  readonly #name: string;

  constructor(databaseName: string) {
    this.#name = `${databaseName}-folders`;
  }

  /** All kept folders, sorted by name. */
  async all(): Promise<KeptFolder[]> {
    return await this.#run('readonly', (store) => store.getAll() as IDBRequest<KeptFolder[]>);
  }

  async put(folder: KeptFolder): Promise<void> {
    await this.#run('readwrite', (store) => store.put(folder));
  }

  async delete(name: string): Promise<void> {
    await this.#run('readwrite', (store) => store.delete(name));
  }

  /**
   * Resolves when the change is on the disk.
   *
   * @throws if the page has no storage, or the browser does not answer for 10 seconds.
   */
  async #run<Result>(
    mode: IDBTransactionMode,
    use: (store: IDBObjectStore) => IDBRequest<Result>,
  ): Promise<Result> {
    return await useObjectStore({ database: this.#name, store: STORE, keyPath: 'name', mode }, use);
  }
}
