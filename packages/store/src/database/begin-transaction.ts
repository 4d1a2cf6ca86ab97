import type { IDBPDatabase, IDBPTransaction, StoreNames } from 'idb';
import type { StoreSchema } from '../schema/schema.js';

type Name = StoreNames<StoreSchema>;

/** A transaction over the given stores. */
export type Transaction<Names extends Name[], Mode extends IDBTransactionMode> = IDBPTransaction<
  StoreSchema,
  Names,
  Mode
>;

/**
 * A connection to the database. Only {@link beginTransaction} begins transactions, so this type has no
 * method that begins one.
 */
export type Connection = Pick<IDBPDatabase<StoreSchema>, 'close'>;

/** Runs work in transactions: see `Database.run`. */
export interface TransactionRunner {
  run<Names extends Name[], Mode extends 'readonly' | 'readwrite', Value>(
    stores: Names,
    mode: Mode,
    body: (transaction: Transaction<Names, Mode>) => Promise<Value>,
    options?: { freesSpace?: boolean },
  ): Promise<Value>;
}

/**
 * The store that every write names, so that no two writes of any tabs run at the same time.
 *
 * If Chromium is killed while two writes of one database run, it may lose every database of the site:
 * to undo the first write it locks the database, and it treats the second write, which needs the
 * database too, as damage. See docs/decisions/0025. Most writes name this store anyway, also in tabs
 * with an earlier version of this software.
 */
const COMMON_STORE = 'head';

const STRICT: IDBTransactionOptions = { durability: 'strict' };

/** Begins a transaction. Throws the exception of the browser, for example if the connection is closed. */
export function beginTransaction<Names extends Name[], Mode extends 'readonly' | 'readwrite'>(
  connection: Connection,
  stores: Names,
  mode: Mode,
): Transaction<Names, Mode> {
  const scope = mode === 'readwrite' ? [...new Set<Name>([...stores, COMMON_STORE])] : stores;
  // The transaction may have one store more than its type says.
  return (connection as IDBPDatabase<StoreSchema>).transaction(scope as Names, mode, STRICT);
}
