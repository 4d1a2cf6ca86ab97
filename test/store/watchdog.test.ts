import { expect } from '@esm-bundle/chai';
import type { StoreError } from '@inpage-mcp/store';
import { Watchdog } from '../../packages/store/src/errors/watchdog.js';
import { failureOf } from '../support/failure.js';
import { useStore } from './store-under-test.js';

/** Keeps every other transaction on an object store waiting until it is called. */
async function hold(databaseName: string, objectStore: string): Promise<() => void> {
  const database = await new Promise<IDBDatabase>((resolve) => {
    const request = indexedDB.open(databaseName);
    request.onsuccess = () => resolve(request.result);
  });
  let isHeld = true;
  const transaction = database.transaction(objectStore, 'readwrite');
  await new Promise<void>((resolve) => {
    // A transaction lives as long as it has requests.
    const goOn = (): void => {
      resolve();
      if (isHeld) transaction.objectStore(objectStore).count().onsuccess = goOn;
    };
    goOn();
  });
  return () => {
    isHeld = false;
    database.close();
  };
}

describe('a transaction that does not settle', () => {
  const test = useStore();

  it('ends after ten seconds, as do all that wait behind it, and the next call works', async () => {
    const { notes } = test.store;
    const { id } = await notes.create({ title: 'before', text: '' });
    const letGo = await hold(test.name, 'notes');
    const startedAt = performance.now();
    const writes = Array.from({ length: 100 }, (_, n) => notes.create({ title: `${n}`, text: '' }));
    const codes = await Promise.all(
      [...writes, notes.get(id), notes.list()].map(
        async (call) => ((await failureOf(call)) as StoreError).code,
      ),
    );
    expect(new Set(codes)).to.deep.equal(new Set(['timeout']));
    // All of them together, and not eight at a time.
    expect(performance.now() - startedAt).to.be.within(9_900, 60_000);
    letGo();
    await notes.create({ title: 'after', text: '' });
    const { notes: listed } = await notes.list();
    expect(listed.map(({ title }) => title)).to.deep.equal(['after', 'before']);
    expect(test.store.changes.head).to.include({ notes: 2 });
  });
});

describe('a watchdog', () => {
  it('rings once, after its time', async () => {
    let rings = 0;
    const watchdog = new Watchdog(20, () => (rings += 1));
    const error = (await failureOf(watchdog.timeout)) as StoreError;
    expect(error.code).to.equal('timeout');
    expect(rings).to.equal(1);
  });

  it('does not ring when it was stopped', async () => {
    let rings = 0;
    new Watchdog(5, () => (rings += 1)).stop();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(rings).to.equal(0);
  });

  it('waits once more when it was asleep', async () => {
    let rings = 0;
    const watchdog = new Watchdog(30, () => (rings += 1));
    // Nothing runs in that time, as in a frozen page.
    const until = performance.now() + 2_200;
    while (performance.now() < until);
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(rings).to.equal(0);
    await failureOf(watchdog.timeout);
    expect(rings).to.equal(1);
  });
});
