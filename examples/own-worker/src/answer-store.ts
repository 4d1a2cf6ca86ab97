import { openDB, type DBSchema, type IDBPDatabase } from 'idb';

/** What an API said, and when. */
export interface KeptAnswer {
  text: string;
  /** In milliseconds since 1970. */
  fetchedAt: number;
}

interface Schema extends DBSchema {
  answers: { key: string; value: KeptAnswer };
}

/** Answers of APIs in a database of the app's own, by the uri of their resource. */
export class AnswerStore {
  readonly #name: string;
  #connection: Promise<IDBPDatabase<Schema>> | undefined;

  /** Opens nothing yet: an app whose weather is never read has no such database. */
  constructor(name: string) {
    this.#name = name;
  }

  async get(uri: string): Promise<KeptAnswer | undefined> {
    const database = await this.#open();
    return await database.get('answers', uri);
  }

  /** Resolves when the transaction has completed. */
  async put(uri: string, answer: KeptAnswer): Promise<void> {
    const database = await this.#open();
    await database.put('answers', answer, uri);
  }

  #open(): Promise<IDBPDatabase<Schema>> {
    const forget = (): void => (this.#connection = undefined);
    this.#connection ??= openDB<Schema>(this.#name, 1, {
      upgrade: (database) => void database.createObjectStore('answers'),
      // A newer version of the app in another tab, or the user who clears the data, goes first.
      blocking(_current, _wanted, { target }) {
        (target as IDBDatabase).close();
        forget();
      },
      terminated: forget,
    });
    // The next call tries again.
    this.#connection.catch(forget);
    return this.#connection;
  }
}
