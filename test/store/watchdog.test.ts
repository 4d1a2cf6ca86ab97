import { expect } from '@esm-bundle/chai';
import type { StoreError } from '@inpage-mcp/store';
import { Watchdog } from '../../packages/store/src/errors/watchdog.js';
import { failureOf } from '../support/failure.js';
import { eventually } from '../support/within.js';
import { useStore } from './store-under-test.js';
import { useFakeTimers } from '../support/fake-timers.js';
import { arrived } from '../support/arrived.js';

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

/** How many writes of a tab have a transaction at the same time. */
const WRITES = 8;

describe('a transaction that does not settle', () => {
  // What is left of ten seconds when it begins.
  const timers = useFakeTimers({ only: (delayMs) => delayMs > 5_000 && delayMs <= 10_000 });
  const test = useStore();

  it('ends after ten seconds, as do all that wait behind it, and the next call works', async () => {
    const { notes } = test.store;
    const { id } = await notes.create({ title: 'before', text: '' });
    const letGo = await hold(test.name, 'notes');
    const writes = Array.from({ length: 100 }, (_, n) => notes.create({ title: `${n}`, text: '' }));
    let failed = 0;
    const codes = Promise.all(
      [...writes, notes.get(id), notes.list()].map(async (call, index) => {
        const { code, message } = (await failureOf(call)) as StoreError;
        failed += 1;
        // A read needs no room.
        expect(message.includes('disk')).to.equal(index < writes.length);
        return code;
      }),
    );
    await eventually(() => timers.running === WRITES + 2);
    timers.pass(5_000);
    await arrived();
    expect(failed).to.equal(0);
    // All of them together, and not eight at a time.
    timers.pass(5_000);
    expect(new Set(await codes)).to.deep.equal(new Set(['timeout']));
    letGo();
    await notes.create({ title: 'after', text: '' });
    const { notes: listed } = await notes.list();
    expect(listed.map(({ title }) => title)).to.deep.equal(['after', 'before']);
    expect(test.store.changes.head).to.include({ notes: 2 });
  });
});

describe('a watchdog', () => {
  const timers = useFakeTimers({ stopClock: true });

  it('rings once, after its time', async () => {
    let rings = 0;
    const watchdog = new Watchdog(20, () => (rings += 1));
    timers.pass(20);
    timers.pass(20);
    const error = (await failureOf(watchdog.timeout)) as StoreError;
    expect(error.code).to.equal('timeout');
    expect(rings).to.equal(1);
  });

  it('does not ring when it was stopped', () => {
    let rings = 0;
    new Watchdog(5, () => (rings += 1)).stop();
    timers.pass(30);
    expect(rings).to.equal(0);
  });

  it('waits once more when it was asleep', async () => {
    let rings = 0;
    const watchdog = new Watchdog(30, () => (rings += 1));
    // No timer runs in that time, as in a frozen page.
    const { now } = performance;
    performance.now = () => now() + 2_200;
    timers.pass(30);
    expect(rings).to.equal(0);
    timers.pass(30);
    await failureOf(watchdog.timeout);
    expect(rings).to.equal(1);
  });
});
