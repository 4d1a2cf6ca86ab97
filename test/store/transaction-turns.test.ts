import { expect } from '@esm-bundle/chai';
import { failureOf } from '../support/failure.js';
import { turnOf } from '../../packages/store/src/transaction-turns.js';
import { useStore } from './store-under-test.js';

const IS_WEBKIT = navigator.userAgent.includes('AppleWebKit/605.1.15');

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
    turnOf(test.name, mode, timeoutMs, signal);

  (IS_WEBKIT ? it.skip : it)('comes at once, but in WebKit, which needs it', async () => {
    await Promise.all([take('readwrite'), take('readwrite'), take('readonly')]);
    expect(await turns(test.name)).to.deep.equal({ held: [], pending: [] });
  });

  (IS_WEBKIT ? describe : describe.skip)('in WebKit', () => {
    it('is shared by reads, and is a write’s alone', async () => {
      const leaves = await Promise.all([take('readonly'), take('readonly')]);
      const writing = take('readwrite');
      const readingLater = take('readonly');
      const all = { held: ['shared', 'shared'], pending: ['exclusive', 'shared'] };
      expect(await turns(test.name)).to.deep.equal(all);
      for (const leave of leaves) leave();
      const leave = await writing;
      expect(await turns(test.name)).to.deep.equal({ held: ['exclusive'], pending: ['shared'] });
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
      expect(await turns(test.name)).to.deep.equal({ held: ['exclusive'], pending: [] });
      leave();
    });

    it('is over where the transaction fails', async () => {
      const missing = test.store.notes.update('01ARZ3NDEKTSV4RRFFQ69G5FAV', { text: '' });
      expect(await failureOf(missing)).to.include({ code: 'not-found' });
      (await take('readwrite'))();
    });
  });
});
