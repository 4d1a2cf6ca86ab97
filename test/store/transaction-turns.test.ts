import { expect } from '@esm-bundle/chai';
import { failureOf } from '../support/failure.js';
import { Database } from '../../packages/store/src/database/database.js';
import { acquireTurn } from '../../packages/store/src/database/transaction-turns.js';
import { useStore } from './store-under-test.js';
import { isWebKit } from '../support/engine.js';

/** Comfortably more than a turn takes that need not be waited for. */
const A_WHILE_MS = 100;

/** The modes of the turns that are taken, and of those that are waited for. */
async function turns(name: string): Promise<{ held: string[]; pending: string[] }> {
  const modesOf = (locks: LockInfo[] = []): string[] =>
    locks.filter((lock) => lock.name?.endsWith(`turn:${name}`)).map(({ mode }) => mode ?? '');
  const { held, pending } = await navigator.locks.query();
  return { held: modesOf(held), pending: modesOf(pending) };
}

describe('the turn of a transaction', () => {
  const test = useStore();
  const take = (mode: 'readonly' | 'readwrite', timeoutMs = 5_000, signal?: AbortSignal) =>
    acquireTurn(test.name, mode, { timeoutMs, signal });

  (isWebKit ? it.skip : it)('comes at once, but in WebKit, which needs it', async () => {
    await Promise.all([take('readwrite'), take('readwrite'), take('readonly')]);
    expect(await turns(test.name)).to.deep.equal({ held: [], pending: [] });
  });

  (isWebKit ? describe : describe.skip)('in WebKit', () => {
    it('is shared by reads, and is a write’s alone', async () => {
      // Of a database that nobody else uses.
      const name = `${test.name} of turns`;
      const ofIt = (mode: 'readonly' | 'readwrite') =>
        acquireTurn(name, mode, { timeoutMs: 5_000 });
      const leaves = await Promise.all([ofIt('readonly'), ofIt('readonly')]);
      const writing = ofIt('readwrite');
      const readingLater = ofIt('readonly');
      const all = { held: ['shared', 'shared'], pending: ['exclusive', 'shared'] };
      expect(await turns(name)).to.deep.equal(all);
      for (const leave of leaves) leave();
      const leave = await writing;
      expect(await turns(name)).to.deep.equal({ held: ['exclusive'], pending: ['shared'] });
      leave();
      (await readingLater)();
    });

    it('is waited for by whatever reads and writes, in every tab', async () => {
      const other = await test.openTab();
      const leave = await take('readwrite');
      let count = 0;
      const calls = [
        test.store.notes.create({ title: 'a', text: 'b' }),
        other.notes.create({ title: 'c', text: 'd' }),
        test.store.notes.list(),
        other.files.write('e', new Blob(['f'])),
      ].map((call) => call.then(() => (count += 1)));
      // timed: nothing is to come, and nothing comes after it.
      await new Promise((resolve) => setTimeout(resolve, A_WHILE_MS));
      expect(count).to.equal(0);
      leave();
      await Promise.all(calls);
    });

    it('is not waited for longer than may be, nor when nobody waits any more', async () => {
      const leave = await take('readwrite');
      expect(await failureOf(take('readonly', 50))).to.include({ code: 'timeout' });
      const controller = new AbortController();
      const waiting = failureOf(take('readwrite', 5_000, controller.signal));
      const reason = new Error('enough');
      controller.abort(reason);
      expect(await waiting).to.equal(reason);
      expect(await failureOf(take('readonly', 5_000, controller.signal))).to.equal(reason);
      leave();
    });

    it('is not waited for by a call that is cancelled, which leaves the connection alone', async () => {
      const leave = await take('readwrite');
      const { open } = IDBFactory.prototype;
      let opened = 0;
      IDBFactory.prototype.open = function counted(...args) {
        opened += 1;
        return open.apply(this, args);
      };
      try {
        const controller = new AbortController();
        const { signal } = controller;
        const calls = [
          test.store.notes.search('a', { signal }),
          test.store.notes.update('01ARZ3NDEKTSV4RRFFQ69G5FAV', { text: '' }, { signal }),
        ].map(failureOf);
        // timed: nothing is to come, and nothing comes after it.
        await new Promise((resolve) => setTimeout(resolve, A_WHILE_MS));
        // Its reason is an `AbortError`, as of a connection that was lost.
        controller.abort();
        for (const failure of await Promise.all(calls)) expect(failure).to.equal(signal.reason);
        expect(opened).to.equal(0);
      } finally {
        IDBFactory.prototype.open = open;
        leave();
      }
    });

    it('ends for all that wait in line where the first has waited too long', async () => {
      const database = new Database(test.name);
      await database.open();
      const leave = await take('readwrite');
      const write = (timeoutMs: number) =>
        database.run(['uploads'], 'readwrite', async () => 0, { timeoutMs });
      // Eight are under way at a time. The others have all the time in the world.
      const failures = await Promise.all(
        Array.from({ length: 30 }, (_, index) => failureOf(write(index < 8 ? 100 : 600_000))),
      );
      for (const failure of failures) expect(failure).to.include({ code: 'timeout' });
      leave();
      expect(await write(1_000)).to.equal(0);
      database.close();
    });

    it('is over where the transaction fails', async () => {
      const missing = test.store.notes.update('01ARZ3NDEKTSV4RRFFQ69G5FAV', { text: '' });
      expect(await failureOf(missing)).to.include({ code: 'not-found' });
      (await take('readwrite'))();
    });
  });
});
