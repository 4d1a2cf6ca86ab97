import { expect } from '@esm-bundle/chai';
import type { WriteOptions } from '@inpage-mcp/store';
import { countingTransactions, countRecords } from '../support/database.js';
import { failureOf } from '../support/failure.js';
import { everything, everyWrite, prepare } from './every-write.js';
import { codeOf, useStore } from './store-under-test.js';

type Request = (this: IDBObjectStore, ...args: never[]) => IDBRequest;

/** Calls `look` at the success of every request to an object store while `run` runs. */
async function watchingRequests<Value>(
  look: () => void,
  run: () => Promise<Value>,
): Promise<Value> {
  const methods = ['get', 'put', 'add', 'delete'] as const;
  const prototype = IDBObjectStore.prototype as unknown as { [method: string]: Request };
  const originals = methods.map((method) => [method, prototype[method]!] as const);
  for (const [method, original] of originals) {
    prototype[method] = function watched(...args) {
      const request = original.apply(this, args);
      request.addEventListener('success', look);
      return request;
    };
  }
  try {
    return await run();
  } finally {
    for (const [method, original] of originals) prototype[method] = original;
  }
}

describe('a write with a signal', () => {
  const test = useStore();
  const reason = new Error('no longer wanted');

  for (const { name, run } of everyWrite) {
    it(`of ${name} does not even begin once it is aborted`, async () => {
      const id = await prepare(test.store);
      const stored = await everything(test.store);
      const changeCount = test.changes.length;
      const options = { signal: AbortSignal.abort(reason) };
      const transactions = await countingTransactions(async () => {
        expect(await failureOf(run(test.store, id, options))).to.equal(reason);
        const keyed = { ...options, idempotencyKey: 'key' };
        expect(await failureOf(run(test.store, id, keyed))).to.equal(reason);
      });
      expect(transactions).to.equal(0);
      expect(await everything(test.store)).to.deep.equal(stored);
      expect(await countRecords(test.name)).to.include({ once: 0 });
      expect(test.changes).to.have.length(changeCount);
    });

    it(`of ${name} leaves nothing behind when aborted after any of its requests`, async () => {
      const id = await prepare(test.store);
      const stored = await everything(test.store);
      const changeCount = test.changes.length;
      const runAborting = async (after: number): Promise<unknown> => {
        const controller = new AbortController();
        // With a key it has the requests that it has without one, and those for the key.
        const options: WriteOptions = { idempotencyKey: 'key', signal: controller.signal };
        let requests = 0;
        const countdown = (): void => {
          requests += 1;
          if (requests === after) controller.abort(reason);
        };
        const write = watchingRequests(countdown, () => run(test.store, id, options));
        const outcome = await write.catch((error: unknown) => error);
        if (requests < after) return undefined;
        expect(outcome, `after request ${after}`).to.equal(reason);
        expect(await everything(test.store)).to.deep.equal(stored);
        expect(await countRecords(test.name)).to.include({ once: 0 });
        expect(test.changes).to.have.length(changeCount);
        return outcome;
      };
      let after = 1;
      // timed: each round is a write that ends.
      while ((await runAborting(after)) === reason) after += 1;
      // Nothing had two requests or fewer, or this test would not have tested much.
      expect(after).to.be.above(2);
    });

    it(`of ${name} is always undone when it is aborted right after the call`, async () => {
      const id = await prepare(test.store);
      const stored = await everything(test.store);
      const controller = new AbortController();
      const write = run(test.store, id, { signal: controller.signal });
      controller.abort(reason);
      expect(await failureOf(write)).to.equal(reason);
      expect(await everything(test.store)).to.deep.equal(stored);
    });

    it(`of ${name} stays when it is aborted after the commit`, async () => {
      const id = await prepare(test.store);
      const before = test.changes.length;
      const controller = new AbortController();
      // Notified after the commit, before the call resolves.
      test.store.changes.listen(() => controller.abort(reason));
      await run(test.store, id, { signal: controller.signal });
      expect(controller.signal.aborted).to.be.true;
      expect(test.changes.length).to.be.above(before);
    });
  }

  it('is either rejected or written, whenever it is aborted', async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 80; round += 1) {
      const controller = new AbortController();
      const title = `round ${round}`;
      const write = test.store.notes
        .create({ title, text: '' }, { signal: controller.signal })
        .then(() => 'written', String);
      // Message by message through the short life of the transaction.
      for (let step = 0; step < round % 40; step += 1) await nextTask();
      controller.abort('aborted');
      const outcome = await write;
      outcomes.add(outcome);
      const { notes } = await test.store.notes.list({ limit: 1 });
      expect(notes[0]?.title === title, outcome).to.equal(outcome === 'written');
    }
    expect([...outcomes]).to.include('aborted');
    expect([...outcomes].filter((outcome) => outcome !== 'written')).to.deep.equal(['aborted']);
  });

  it('can be made again with its key after it was aborted', async () => {
    const note = { title: 'a', text: 'b' };
    const aborted = { idempotencyKey: 'key', signal: AbortSignal.abort(reason) };
    expect(await failureOf(test.store.notes.create(note, aborted))).to.equal(reason);
    await test.store.notes.create({ ...note, text: 'c' }, { idempotencyKey: 'key' });
    expect(await test.store.notes.count()).to.equal(1);
  });

  it('still says what is wrong with its arguments', async () => {
    const options = { signal: AbortSignal.abort(reason) };
    const bad = { title: 1, text: '' } as never;
    expect(await codeOf(test.store.notes.create(bad, options))).to.equal('invalid-argument');
  });

  it('stops reading the bytes of a file once it is aborted', async () => {
    const controller = new AbortController();
    const blob = new Blob([new Uint8Array(9 * 1024 * 1024)]);
    const { digest } = SubtleCrypto.prototype;
    let digests = 0;
    SubtleCrypto.prototype.digest = function watched(...args) {
      digests += 1;
      if (digests === 2) controller.abort(reason);
      return digest.apply(this, args);
    };
    try {
      const write = test.store.files.write('a', blob, {
        idempotencyKey: 'key',
        signal: controller.signal,
      });
      expect(await failureOf(write)).to.equal(reason);
    } finally {
      SubtleCrypto.prototype.digest = digest;
    }
    expect(digests).to.equal(2);
    expect(await test.store.files.count()).to.equal(0);
  });

  it('holds on to no listener afterwards', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners += 1;
      addEventListener.apply(signal, args);
    };
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners -= 1;
      removeEventListener.apply(signal, args);
    };
    const { id } = await test.store.notes.create({ title: '', text: '' }, { signal });
    await failureOf(test.store.notes.delete('none', { signal }));
    await test.store.notes.delete(id, { signal });
    expect(listeners).to.equal(0);
  });
});

/** Resolves after the messages and events that wait now; a timer would wait for milliseconds. */
function nextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
