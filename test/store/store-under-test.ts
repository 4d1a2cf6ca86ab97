import { expect } from '@esm-bundle/chai';
import {
  openStore,
  StoreError,
  type Store,
  type StoreChange,
  type StoreOptions,
} from '@inpage-mcp/store';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';
import { failureOf } from '../support/failure.js';
import { PIECE } from './marked-blob.js';

/** The store of one test. */
export interface StoreUnderTest {
  readonly name: string;
  readonly store: Store;
  /** Every change that was reported since the test began. */
  readonly changes: StoreChange[];
  /** Closes the store and opens it again, as a reload of the page does. */
  reopen(): Promise<void>;
  /** Another store on the same database, as another tab has; closed after the test. */
  openTab(): Promise<Store>;
}

/** A fresh store for each test of the suite that calls this. */
export function useStore(options?: StoreOptions): StoreUnderTest {
  let name: string;
  let stores: Store[];
  let changes: StoreChange[];

  const open = async (): Promise<Store> => {
    const store = await openStore(name, { pieceBytes: PIECE, ...options });
    stores.push(store);
    return store;
  };
  const openAndListen = async (): Promise<void> => {
    const store = await open();
    stores.unshift(store);
    store.changes.listen((batch) => changes.push(...batch));
  };

  beforeEach(async () => {
    name = freshDatabaseName();
    stores = [];
    changes = [];
    await openAndListen();
  });

  afterEach(async () => {
    for (const store of stores) store.close();
    await deleteDatabase(name);
  });

  return {
    get name() {
      return name;
    },
    get store() {
      return stores[0]!;
    },
    get changes() {
      return changes;
    },
    async reopen() {
      stores[0]!.close();
      await openAndListen();
    },
    openTab: open,
  };
}

/** The code of the `StoreError` that a call rejects with; fails when it does not. */
export async function codeOf(call: Promise<unknown>): Promise<string> {
  const error = await failureOf(call);
  expect(error).to.be.instanceOf(StoreError);
  return (error as StoreError).code;
}
