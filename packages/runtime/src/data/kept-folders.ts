import type { MountOptions } from '@inpage-mcp/server/control-plane';

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

  async #run<Result>(
    mode: IDBTransactionMode,
    run: (store: IDBObjectStore) => IDBRequest<Result>,
  ): Promise<Result> {
    const opening = indexedDB.open(this.#name, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: 'name' });
    const database = await resultOf(opening);
    try {
      return await resultOf(run(database.transaction(STORE, mode).objectStore(STORE)));
    } finally {
      database.close();
    }
  }
}

async function resultOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return await new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The database does not answer.'));
  });
}
