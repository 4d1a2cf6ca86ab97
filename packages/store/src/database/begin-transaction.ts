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
 * A connection to the database. Transactions begin by {@link beginTransaction} alone, so it shows none
 * of the methods that begin one.
 */
export type Connection = Pick<IDBPDatabase<StoreSchema>, 'close'>;

/** Runs work in transactions: see `Database.run`. */
export interface TransactionRunner {
  run<Names extends Name[], Mode extends 'readonly' | 'readwrite', Value>(
    stores: Names,
    mode: Mode,
    body: (transaction: Transaction<Names, Mode>) => Promise<Value>,
  ): Promise<Value>;
}

/**
 * The store that every write names, so that no two of them, of whatever tab, are live at one moment.
 *
 * Where Chromium is killed while two writes of one database are live, it may lose every database of the
 * site: it takes back the first, holds the database for that, and takes the second, which needs the
 * database as well, for damage. See docs/decisions/0025. It is the store that most writes name anyway,
 * those of tabs with an earlier version of this software, too.
 */
const COMMON_STORE = 'head';

const STRICT: IDBTransactionOptions = { durability: 'strict' };

/** Throws what the browser throws, as where the connection is closed. */
export function beginTransaction<Names extends Name[], Mode extends 'readonly' | 'readwrite'>(
  connection: Connection,
  stores: Names,
  mode: Mode,
): Transaction<Names, Mode> {
  const scope = mode === 'readwrite' ? [...new Set<Name>([...stores, COMMON_STORE])] : stores;
  // It may be over one store more than its type says.
  return (connection as IDBPDatabase<StoreSchema>).transaction(scope as Names, mode, STRICT);
}
