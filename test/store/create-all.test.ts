import { expect } from '@esm-bundle/chai';
import {
  MAX_NOTES_AT_ONCE,
  MAX_TEXT_BYTES,
  MAX_TEXT_BYTES_AT_ONCE,
  type NewNote,
  openStore,
} from '@inpage-mcp/store';
import {
  countRecords,
  deleteDatabase,
  freshDatabaseName,
  readRecords,
} from '../support/database.js';
import { failureOf } from '../support/failure.js';
import { codeOf, useStore } from './store-under-test.js';
import { itInAll } from '../support/it-in-all.js';

describe('creating many notes at once', () => {
  const test = useStore();
  const idempotencyKey = 'a key';

  const some = (count: number): NewNote[] =>
    Array.from({ length: count }, (_, index) => ({
      title: `Note ${index}`,
      text: `# Text ${index}\n`,
      ...(index % 2 && { tags: ['odd'], audience: ['user' as const], priority: 0.5 }),
    }));

  it('makes them as one by one, in their order', async () => {
    const before = Date.now();
    const notes = some(30);
    const created = await test.store.notes.createAll(notes);
    expect(created).to.have.length(30);
    for (const [index, summary] of created.entries()) {
      const { title, text, tags = [] } = notes[index]!;
      expect(await test.store.notes.get(summary.id)).to.deep.equal({ ...summary, text });
      expect(summary).to.deep.include({ title, tags, revision: 1, firstLine: `Text ${index}` });
      expect(summary.createdAt).to.be.within(before, Date.now());
      expect(summary.updatedAt).to.equal(summary.createdAt);
      expect(summary.priority).to.equal(notes[index]!.priority);
      expect(summary.audience).to.deep.equal(notes[index]!.audience);
    }
    const ids = created.map(({ id }) => id);
    expect(new Set(ids).size).to.equal(30);
    expect(ids.toSorted()).to.deep.equal(ids);
    const next = await test.store.notes.create({ title: '', text: '' });
    expect(next.id > ids.at(-1)!).to.equal(true);
  });

  it('counts, numbers and reports them as one change', async () => {
    const [head] = (await readRecords(test.name, 'head')) as { sequence: number }[];
    const batchSizes: number[] = [];
    test.store.changes.listen((changes) => batchSizes.push(changes.length));
    const other = await test.openTab();
    const kinds = new Promise<string[]>((resolve) => {
      other.changes.listen((changes) => resolve(changes.map(({ kind }) => kind)));
    });
    const created = await test.store.notes.createAll(some(1_200));
    const counts = await countRecords(test.name);
    expect(batchSizes).to.deep.equal([1_200]);
    // More than the log holds of one transaction.
    expect(await kinds).to.deep.equal(['everything']);
    expect(test.changes[0]).to.deep.equal({
      kind: 'note',
      key: created[0]!.id,
      type: 'created',
      listingChanged: true,
    });
    const [next] = await readRecords(test.name, 'head');
    expect(next).to.deep.include({ sequence: head!.sequence + 1, notes: 1_200 });
    expect(counts).to.include({ unindexed: 1_200, 'note-texts': 1_200 });
  });

  itInAll(
    'makes all that are allowed, says how far it is, and gives way to others meanwhile',
    async () => {
      const progress: [done: number, total: number][] = [];
      const { port1, port2 } = new MessageChannel();
      const { add } = IDBObjectStore.prototype;
      let inOneTurn = 0;
      let most = 0;
      let isDone = false;
      port1.onmessage = () => {
        inOneTurn = 0;
        if (!isDone) port2.postMessage(null);
      };
      port2.postMessage(null);
      IDBObjectStore.prototype.add = function (...given) {
        inOneTurn += 1;
        most = Math.max(most, inOneTurn);
        return add.apply(this, given);
      };
      try {
        const created = await test.store.notes.createAll(some(MAX_NOTES_AT_ONCE), {
          onProgress: (done, total) => progress.push([done, total]),
        });
        expect(created).to.have.length(MAX_NOTES_AT_ONCE);
      } finally {
        IDBObjectStore.prototype.add = add;
        isDone = true;
        port1.close();
      }
      expect(most).to.be.within(100, 5_000);
      expect(await test.store.notes.count()).to.equal(MAX_NOTES_AT_ONCE);
      const done = progress.map(([count]) => count);
      expect(done.toSorted((a, b) => a - b)).to.deep.equal(done);
      expect(done.length).to.be.greaterThan(10);
      expect(progress.at(-1)).to.deep.equal([MAX_NOTES_AT_ONCE, MAX_NOTES_AT_ONCE]);
    },
  );

  it('writes none where one is refused, and says which', async () => {
    const { notes } = test.store;
    const tooMany = Array.from({ length: MAX_NOTES_AT_ONCE + 1 }, () => ({ title: '', text: '' }));
    const large = { title: '', text: 'x'.repeat(MAX_TEXT_BYTES) };
    const tooLarge = Array.from(
      { length: MAX_TEXT_BYTES_AT_ONCE / MAX_TEXT_BYTES + 1 },
      () => large,
    );
    for (const refused of [tooMany, tooLarge, 'no array', [null], [{ title: 'a' }]]) {
      expect(await codeOf(notes.createAll(refused as NewNote[]))).to.equal('invalid-argument');
    }
    const bad = [...some(7), { title: 'a', text: 'b', priority: 2 }];
    const error = (await failureOf(notes.createAll(bad))) as Error;
    expect(error.message).to.include('Note 7').and.to.include('priority');
    expect(await notes.count()).to.equal(0);
    expect(test.changes).to.deep.equal([]);
  });

  it('of none writes and reports nothing', async () => {
    const before = await readRecords(test.name, 'head');
    expect(await test.store.notes.createAll([])).to.deep.equal([]);
    expect(await readRecords(test.name, 'head')).to.deep.equal(before);
  });

  it('writes none where the call is cancelled before the commit', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const creating = test.store.notes.createAll(some(2_000), {
      signal: controller.signal,
      onProgress: () => controller.abort(reason),
    });
    expect(await failureOf(creating)).to.equal(reason);
    expect(await countRecords(test.name)).to.include({ notes: 0, 'note-texts': 0, unindexed: 0 });
    expect(test.changes).to.deep.equal([]);
  });

  it('happens once for a key, and answers a retry the same, whatever happened since', async () => {
    const { notes } = test.store;
    const first = await notes.createAll(some(40), { idempotencyKey });
    await notes.update(first[3]!.id, { title: 'changed' });
    await notes.delete(first[5]!.id);
    const changeCount = test.changes.length;
    expect(await notes.createAll(some(40), { idempotencyKey })).to.deep.equal(first);
    expect(test.changes).to.have.length(changeCount);
    expect(await notes.count()).to.equal(39);
    expect(await codeOf(notes.createAll(some(39), { idempotencyKey }))).to.equal('conflict');
    expect(JSON.stringify(await readRecords(test.name, 'once')).length).to.be.lessThan(1_000);
  });

  it('survives a listener to its progress that throws', async () => {
    const failed = new Promise<string>((resolve) => {
      const onerror = window.onerror;
      window.onerror = (_event, _source, _line, _column, error) => {
        window.onerror = onerror;
        resolve(error?.message ?? '');
      };
    });
    const onProgress = (): void => {
      throw new Error('thrown by the listener');
    };
    await test.store.notes.createAll(some(1), { onProgress });
    expect(await failed).to.equal('thrown by the listener');
    expect(await test.store.notes.count()).to.equal(1);
  });

  it('is refused in a part of the store', async () => {
    const part = test.store.within(() => ({ notes: new Set<string>(), files: 'all' }));
    expect(await codeOf(part.notes.createAll(some(1)))).to.equal('forbidden');
  });

  it('makes ids that no other tab draws at the same moment', async () => {
    const name = freshDatabaseName();
    const stores = await Promise.all([openStore(name), openStore(name)]);
    const made = await Promise.all(stores.map((store) => store.notes.createAll(some(300))));
    expect(new Set(made.flat().map(({ id }) => id)).size).to.equal(600);
    for (const store of stores) store.close();
    await deleteDatabase(name);
  });
});
