import { expect } from '@esm-bundle/chai';
import type { CallToolResult, McpClient } from '@inpage-mcp/client';
import {
  startRuntime,
  type ListedChange,
  type Note,
  type Runtime,
  type RuntimeError,
} from '@inpage-mcp/runtime';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';
import { failureOf } from '../support/failure.js';
import { itInAll } from '../support/it-in-all.js';
import { randomFrom } from '../support/random.js';

/** What undoes more is not kept, in bytes. */
const MAX_CONTENT_BYTES = 8 * 1024 * 1024;
const MAX_CHANGES = 200;

describe('the history of what clients have changed', () => {
  let databaseName: string;
  let runtime: Runtime;
  let assistant: McpClient;

  const start = async (): Promise<void> => {
    runtime = await startRuntime({ databaseName });
    assistant = await runtime.connect({ name: 'Assistant' });
  };

  beforeEach(async () => {
    databaseName = freshDatabaseName();
    await start();
  });

  afterEach(async () => {
    await runtime.close();
    await deleteDatabase(databaseName);
  });

  const call = async (name: string, args: { [name: string]: unknown }): Promise<CallToolResult> => {
    const result = await assistant.callTool(name, args);
    expect(result.isError, JSON.stringify(result.content)).not.to.equal(true);
    return result;
  };
  const create = async (title: string, text: string): Promise<string> => {
    const { structuredContent } = await call('create_note', { title, text });
    return (structuredContent as { id: string }).id;
  };
  const revertAll = async (): Promise<void> => {
    for (const { number, isReverted } of await runtime.history.list())
      if (!isReverted) await runtime.history.revert(number);
  };
  const codeOf = async (promise: Promise<unknown>): Promise<string> =>
    ((await failureOf(promise)) as RuntimeError).code;
  const textOf = async (path: string): Promise<string> =>
    await (await runtime.files.read(path)).blob.text();
  /** Everything but revisions and times. */
  const everything = async (): Promise<unknown> => {
    const { notes } = await runtime.notes.list({ limit: 10_000 });
    const { files } = await runtime.files.list({ limit: 10_000 });
    const whole = await Promise.all(notes.map(({ id }) => runtime.notes.get(id)));
    return {
      notes: whole.map(({ revision: _revision, updatedAt: _at, ...note }) => note),
      files: await Promise.all(
        files.map(async ({ path, mediaType }) => [path, mediaType, await textOf(path)]),
      ),
    };
  };

  it('names who did what to which note or file, and is there after a reload', async () => {
    const id = await create('Shopping', 'Bread');
    await call('append_to_note', { id, text: 'Milk' });
    await call('save_file', { path: 'a.txt', text: 'of a' });
    await call('move_file', { from: 'a.txt', to: 'b.txt' });
    await call('delete_file', { path: 'b.txt' });
    await call('delete_note', { id });
    const done = [
      { type: 'deleted', kind: 'note', key: id, title: 'Shopping' },
      { type: 'deleted', kind: 'file', key: 'b.txt', title: '' },
      { type: 'moved', kind: 'file', key: 'b.txt', from: 'a.txt', title: '' },
      { type: 'created', kind: 'file', key: 'a.txt', title: '' },
      { type: 'updated', kind: 'note', key: id, title: 'Shopping' },
      { type: 'created', kind: 'note', key: id, title: 'Shopping' },
    ];
    for (const isAfterwards of [false, true]) {
      if (isAfterwards) {
        await runtime.close();
        await start();
      }
      const changes = await runtime.history.list();
      expect(changes).to.have.length(done.length);
      for (const [index, change] of changes.entries()) {
        expect(change).to.deep.include({ ...done[index], name: 'Assistant', isRevertible: true });
      }
      const log = await logOf(assistant);
      expect(log.changes).to.have.length(done.length);
      expect(log.changes[0]).to.deep.include({
        by: 'Assistant',
        type: 'deleted',
        title: 'Shopping',
        uri: `note:///${id}`,
        revert: 'possible',
      });
      // The numbers of connections are those of one worker.
      expect('connection' in log.changes[0]!).to.equal(!isAfterwards);
    }
  });

  it('keeps nothing of what the page, or a client without a name, writes', async () => {
    await runtime.notes.create({ title: 'mine', text: '' });
    const own = await runtime.connect();
    await own.callTool('create_note', { title: 'also mine', text: '' });
    expect(await runtime.history.list()).to.deep.equal([]);
  });

  it('shows the changes of others to no guest', async () => {
    await create('Shopping', 'Bread');
    const guest = await runtime.connect({ access: { read: ['inpage:///activity'] } });
    expect(await logOf(guest)).not.to.have.property('changes');
  });

  it('undoes each kind of change, and each once', async () => {
    const mine = await runtime.notes.create({ title: 'Mine', text: 'one\ntwo', tags: ['t'] });
    const gone = await runtime.notes.create({ title: 'Gone', text: 'words', priority: 0.5 });
    await runtime.files.write('old.txt', new Blob(['old']));
    await runtime.files.write('gone.txt', new Blob(['gone']));
    await runtime.files.write('here.txt', new Blob(['here']));
    await runtime.files.write('there.txt', new Blob(['there']));
    const before = await everything();
    await call('update_note', {
      id: mine.id,
      title: 'Theirs',
      text: 'one\n2',
      tags: [],
      priority: 1,
    });
    await call('delete_note', { id: gone.id });
    await create('New', 'words');
    await call('save_file', { path: 'old.txt', text: 'new' });
    await call('save_file', { path: 'new.txt', text: 'new' });
    await call('delete_file', { path: 'gone.txt' });
    await call('move_file', { from: 'here.txt', to: 'there.txt', overwrite: true });
    expect(await everything()).not.to.deep.equal(before);
    const numbers = (await runtime.history.list()).map(({ number }) => number);
    expect(numbers).to.have.length(7);
    await revertAll();
    expect(await everything()).to.deep.equal(before);
    for (const number of numbers)
      expect(await codeOf(runtime.history.revert(number))).to.equal('not-found');
    expect(await everything()).to.deep.equal(before);
    for (const change of await runtime.history.list()) {
      expect(change).to.deep.include({ isReverted: true, isRevertible: false });
    }
  });

  it('undoes several changes of one note one after the other, back to nothing', async () => {
    const id = await create('Shopping', 'Bread');
    await call('append_to_note', { id, text: 'Milk' });
    await call('update_note', { id, text: 'Bread and butter\nMilk', title: 'To buy' });
    await revertAll();
    expect(await everything()).to.deep.equal({ notes: [], files: [] });
  });

  it('keeps what the user has written elsewhere in the note since', async () => {
    const { id } = await runtime.notes.create({ title: 'Plan', text: 'Monday\nTuesday\nFriday\n' });
    await call('update_note', { id, title: 'A plan', text: 'Monday\nTuesday: rain\nFriday\n' });
    await call('append_to_note', { id, text: 'Bring a coat' });
    await runtime.notes.update(id, {
      title: 'My plan',
      text: 'Sunday\nMONDAY\nTuesday: rain\nFriday\nBring a coat\nSaturday\n',
    });
    await revertAll();
    expect(await runtime.notes.get(id)).to.deep.include({
      title: 'My plan',
      text: 'Sunday\nMONDAY\nTuesday\nFriday\nSaturday\n',
    });
  });

  it('finds the lines of a change again, or takes nothing', async () => {
    const dashes = '-\n'.repeat(10);
    const section = (name: string, box: string): string => `## ${name}\n${dashes}${box}\n${dashes}`;
    for (const [before, after, now, undone] of [
      ['Bread', 'Bread\nBuy milk', 'Bread\nBuy milk and honey, for Anna', undefined],
      ['Bread', 'Bread\nMilk', 'Bread\nMilkshake', undefined],
      ['Bread', 'Bread\nMilk', 'Butter\nMilk\nTea', undefined],
      ['Bread', 'Bread\nMilk', 'Eggs\nBread\nMilk\nTea', 'Eggs\nBread\nTea'],
      ['Bread', 'Bread\nMilk', 'Milk\nBread\nMilk', 'Milk\nBread'],
      ['Bread', 'Bread\nMilk', 'Milk\nButter\nMilk', undefined],
      ['Bread\r\nMilk', 'Bread\r\nTea', 'Eggs\r\nBread\r\nTea', 'Eggs\r\nBread\r\nMilk'],
      ['All my words', '', 'A new note', undefined],
      ['All my words', '', 'A new note\n\nof two lines', undefined],
      ['Call Bob\nCall Eve', 'Call Bob', 'Call Bobby', undefined],
      ['Call Bob\nCall Eve', 'Call Bob', 'Call Bob\nCall Ann', 'Call Bob\nCall Eve\nCall Ann'],
      ['plan', 'Our plan', '4Our plan', undefined],
      // The line that is left, or is there again, is the user's own.
      ['Shop:\n- milk\nHome:', 'Shop:\n- milk\nHome:\n- milk', 'Shop:\n- milk\nHome:', undefined],
      [
        '# Mon\n- [ ] run\n# Tue\n- [x] run',
        '# Mon\n- [x] run\n# Tue\n- [x] run',
        '# Tue\n- [x] run',
        undefined,
      ],
      ['Call:\nPay:', 'Call:\n- Bob\nPay:', 'Call:\nPay:\n- Bob', undefined],
      ['Bread\n', 'Bread\nMilk\n', 'Butter\nEggs\nMilk\n', undefined],
      ['A\n\nB', 'A\n\nTODO\n\nB', 'X\n\nTODO\n\nY', undefined],
      ['', 'Milk', 'Butter\nMilk\nTea', undefined],
      ['x\ny\none\ntwo', 'x\ny', 'x\ny\none', undefined],
      ['Call Bob\nPay', 'Pay', 'Pay\nTax\nCall Bob', undefined],
      ['a\nb', 'a', 'a\nb', undefined],
      ['b\na', 'a', 'b\na', undefined],
      ['x\ny\none\ntwo', 'x\ny', 'x\ny\none\ntwo\nthree', undefined],
      ['a\nb\n-\na\nb\nc', 'a\nb\n-\na\nb', 'a\nb\n-\na\nB', undefined],
      ['a\n😀', 'a\n😁', 'b\na\n😁', 'b\na\n😀'],
      [
        section('A', '[ ]') + section('B', '[ ]') + section('C', '[x]'),
        section('A', '[ ]') + section('B', '[x]') + section('C', '[x]'),
        section('B', '[x]') + section('C', '[x]'),
        undefined,
      ],
    ] as const) {
      const { id } = await runtime.notes.create({ title: 'Note', text: before });
      await call('update_note', { id, text: after });
      await runtime.notes.update(id, { text: now });
      const [made] = await runtime.history.list();
      const undoing = runtime.history.revert(made!.number);
      if (undone === undefined) expect(await codeOf(undoing), now).to.equal('conflict');
      else await undoing;
      expect((await runtime.notes.get(id)).text).to.equal(undone ?? now);
    }
  });

  it('finds lines again in a moment, also in a text that is all the same', async () => {
    const many = 'a\n'.repeat(100_000);
    const { id } = await runtime.notes.create({ title: 'Note', text: `Diary\n${many}` });
    await call('update_note', { id, text: `Diary\n${many}b\n${many}` });
    await call('update_note', { id, text: `Diary\n${many}${many}${many}` });
    const [, older] = await runtime.history.list();
    expect(await codeOf(runtime.history.revert(older!.number))).to.equal('conflict');
  });

  it('brings back words that were erased, whatever was set since beside them', async () => {
    for (const [before, after] of [
      ['All my words\nand more', ''],
      ['All my words', '\n\n'],
      ['one\none\none', 'one\nONE\none'],
    ] as const) {
      const { id } = await runtime.notes.create({ title: 'Note', text: before });
      await call('update_note', { id, text: after });
      await runtime.notes.update(id, { title: 'Lost?', tags: ['lost'], priority: 1 });
      await runtime.history.revert((await runtime.history.list())[0]!.number);
      expect(await runtime.notes.get(id)).to.deep.include({ text: before, tags: ['lost'] });
    }
  });

  it('takes nothing for what a client has written that is there anew', async () => {
    const words = (path: string, text: string) => runtime.files.write(path, new Blob([text]));
    await call('save_file', { path: 'a.txt', text: 'theirs' });
    await call('delete_file', { path: 'a.txt' });
    await words('a.txt', 'mine');
    await words('b.txt', 'old');
    await call('save_file', { path: 'b.txt', text: 'theirs' });
    await runtime.files.delete('b.txt');
    await words('b.txt', 'one');
    await words('b.txt', 'mine');
    await words('c.txt', 'old');
    await call('move_file', { from: 'c.txt', to: 'd.txt' });
    await runtime.files.delete('d.txt');
    await words('d.txt', 'one');
    await words('d.txt', 'mine');
    await call('save_file', { path: 'e.txt', text: 'theirs' });
    await runtime.files.delete('e.txt');
    await words('e.txt', 'mine');
    await call('save_file', { path: 'e.txt', text: 'theirs again' });
    const { id } = await runtime.notes.create({ title: 'Note', text: 'a\nb\nc' });
    const note = await runtime.notes.get(id);
    await call('update_note', { id, text: 'a\nassistant\nc' });
    await runtime.notes.delete(id);
    await runtime.notes.restore(note);
    await runtime.notes.update(id, { text: 'mine 1\nmine 2\nmine 3' });
    for (const { number } of await runtime.history.list())
      await runtime.history.revert(number).catch(() => undefined);
    for (const path of ['a.txt', 'b.txt', 'd.txt', 'e.txt'])
      expect(await textOf(path), path).to.equal('mine');
    expect((await runtime.notes.get(id)).text).to.equal('mine 1\nmine 2\nmine 3');
  });

  it('gives a file that comes back no revision that another one had', async () => {
    await call('save_file', { path: 'a.txt', text: 'theirs' });
    await call('save_file', { path: 'a.txt', text: 'theirs again' });
    await call('delete_file', { path: 'a.txt' });
    const { revision } = await runtime.files.write('a.txt', new Blob(['mine']));
    await runtime.files.delete('a.txt');
    await runtime.history.revert((await runtime.history.list())[0]!.number);
    expect((await runtime.files.read('a.txt')).file.revision).to.be.above(revision);
    expect(await textOf('a.txt')).to.equal('theirs again');
    // The earlier changes can still be undone.
    await runtime.history.revert((await runtime.history.list())[1]!.number);
    expect(await textOf('a.txt')).to.equal('theirs');
  });

  it('leads back through a move over what a client has written', async () => {
    await runtime.files.write('from.txt', new Blob(['from']));
    await runtime.files.write('to.txt', new Blob(['to']));
    const before = await everything();
    await call('save_file', { path: 'to.txt', text: 'theirs' });
    await call('save_file', { path: 'new.txt', text: 'theirs' });
    await call('move_file', { from: 'from.txt', to: 'to.txt', overwrite: true });
    await call('move_file', { from: 'new.txt', to: 'from.txt' });
    await revertAll();
    expect(await everything()).to.deep.equal(before);
  });

  it('knows no number of before everything was deleted', async () => {
    await create('Old', 'words');
    const [old] = await runtime.history.list();
    await runtime.storage.clear();
    await create('New', 'words');
    expect(await codeOf(runtime.history.revert(old!.number))).to.equal('not-found');
    for (const number of [Number.NaN, undefined, {}, 1.5, '1'])
      expect(await codeOf(runtime.history.revert(number as never))).to.equal('invalid-argument');
  });

  it('undoes a change once, although it is asked for several times at once', async () => {
    const { id } = await runtime.notes.create({ title: 'Note', text: 'Call Bob\nCall Eve' });
    await call('update_note', { id, text: 'Call Bob' });
    const { number } = (await runtime.history.list())[0]!;
    const other = await startRuntime({ databaseName });
    const undoing = [runtime, runtime, other, other].map(({ history }) => history.revert(number));
    const outcomes = await Promise.allSettled(undoing);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    expect((await runtime.notes.get(id)).text).to.equal('Call Bob\nCall Eve');
    await other.close();
  });

  const conflicts: { [what: string]: (note: Note) => Promise<unknown> } = {
    'the same line was changed': ({ id }) => runtime.notes.update(id, { text: 'MONDAY; TUESDAY' }),
    'the line is there twice': ({ id }) =>
      runtime.notes.update(id, { text: 'x\nMonday, Tuesday\nMonday, Tuesday' }),
    'the note is gone': ({ id }) => runtime.notes.delete(id),
  };
  for (const [what, change] of Object.entries(conflicts)) {
    it(`undoes nothing where ${what}`, async () => {
      const note = await runtime.notes.create({ title: 'Plan', text: 'Monday' });
      await call('update_note', { id: note.id, text: 'Monday, Tuesday' });
      await change(note);
      const before = await everything();
      const [made] = await runtime.history.list();
      expect(await codeOf(runtime.history.revert(made!.number))).to.equal('conflict');
      expect(await everything()).to.deep.equal(before);
      // Once it is possible, it can still be undone.
      expect((await runtime.history.list())[0]).to.deep.include({ isRevertible: true });
    });
  }

  it('deletes nothing to which the user has added anything', async () => {
    const id = await create('New', 'words');
    await call('save_file', { path: 'new.txt', text: 'new' });
    await call('save_file', { path: 'again.txt', text: 'again' });
    await runtime.files.write('over.txt', new Blob(['over']));
    await call('save_file', { path: 'over.txt', text: 'written over' });
    await call('save_file', { path: 'here.txt', text: 'here' });
    await call('move_file', { from: 'here.txt', to: 'there.txt' });
    await runtime.notes.update(id, { tags: ['mine'], priority: 1 });
    for (const path of ['new.txt', 'over.txt', 'there.txt'])
      await runtime.files.update(path, { audience: ['user'], priority: 1 });
    await runtime.files.delete('again.txt');
    await runtime.files.write('again.txt', new Blob(['again']));
    await runtime.files.write('again.txt', new Blob(['again']));
    const before = await everything();
    for (const { number } of await runtime.history.list()) {
      expect(await codeOf(runtime.history.revert(number))).to.equal('conflict');
    }
    expect(await everything()).to.deep.equal(before);
  });

  it('undoes nothing where there is something again', async () => {
    const { id } = await runtime.notes.create({ title: 'Gone', text: 'words' });
    const note = await runtime.notes.get(id);
    await runtime.files.write('gone.txt', new Blob(['gone']));
    await call('delete_note', { id });
    await call('delete_file', { path: 'gone.txt' });
    await runtime.notes.restore(note);
    await runtime.files.write('gone.txt', new Blob(['mine']));
    const before = await everything();
    for (const { number } of await runtime.history.list()) {
      expect(await codeOf(runtime.history.revert(number))).to.equal('conflict');
    }
    expect(await everything()).to.deep.equal(before);
  });

  it('gives no file a revision that a client may have read before', async () => {
    await runtime.files.write('from.txt', new Blob(['from']));
    await runtime.files.write('to.txt', new Blob(['to']));
    await call('move_file', { from: 'from.txt', to: 'to.txt', overwrite: true });
    const { file: read } = await runtime.files.read('to.txt');
    await revertAll();
    await runtime.files.write('to.txt', new Blob(['mine']));
    const expectedRevision = read.revision;
    const late = await assistant.callTool('save_file', {
      path: 'to.txt',
      text: 'x',
      expectedRevision,
    });
    expect(late.isError).to.equal(true);
    expect(await textOf('to.txt')).to.equal('mine');
  });

  for (const [what, name] of [
    ['of 200 letters', 'n'.repeat(200)],
    ['of 201', 'n'.repeat(201)],
    ['that is none', 5 as never],
    ['of half a letter', '\ud800'],
  ] as const) {
    it(`takes or refuses a name ${what}`, async () => {
      const isRight = what === 'of 200 letters';
      for (const open of [() => runtime.connect({ name }), () => runtime.openPort({ name })]) {
        if (isRight) await open();
        else expect(await codeOf(open())).to.equal('invalid-argument');
      }
    });
  }

  itInAll(
    'keeps 200 changes, 8 MiB for one and 32 MiB for all, and of each client its share',
    async () => {
      const other = await runtime.connect({ name: 'Other' });
      await other.callTool('create_note', { title: 'Theirs', text: '' });
      await runtime.files.write('theirs', new Blob(['x']));
      await other.callTool('delete_file', { path: 'theirs' });
      const changesOf = async (by: string): Promise<ListedChange[]> =>
        (await runtime.history.list()).filter(({ name }) => name === by);
      const { id } = await runtime.notes.create({ title: 'n', text: '' });
      for (let count = 0; count < MAX_CHANGES; count += 1)
        await call('append_to_note', { id, text: '.' });
      expect(await changesOf('Assistant')).to.have.length(MAX_CHANGES - 2);
      const fill = async (path: string, bytes: number): Promise<void> => {
        await runtime.files.write(path, new Blob([new Uint8Array(bytes)]));
        await call('delete_file', { path });
      };
      const isKept = async (): Promise<boolean[]> =>
        (await changesOf('Assistant')).map(({ isRevertible }) => isRevertible).slice(0, 6);
      await fill('too large', MAX_CONTENT_BYTES + 1);
      expect(await isKept()).to.deep.equal([false, true, true, true, true, true]);
      for (let count = 0; count < 5; count += 1) await fill(`large ${count}`, MAX_CONTENT_BYTES);
      // One byte is that of the other.
      expect(await isKept()).to.deep.equal([true, true, true, false, false, false]);
      expect(await changesOf('Assistant')).to.have.length(MAX_CHANGES - 2);
      await runtime.history.revert((await changesOf('Assistant'))[2]!.number);
      expect((await runtime.files.read('large 2')).file.size).to.equal(MAX_CONTENT_BYTES);
      const theirs = await changesOf('Other');
      expect(theirs.map(({ isRevertible }) => isRevertible)).to.deep.equal([true, true]);
      await runtime.history.revert(theirs[0]!.number);
      expect(await textOf('theirs')).to.equal('x');
    },
  );

  it('is deleted with everything', async () => {
    await create('Shopping', 'Bread');
    await runtime.storage.clear();
    expect(await runtime.history.list()).to.deep.equal([]);
  });

  for (const seed of [1, 2, 3, 4, 5]) {
    const run = seed === 1 ? it : itInAll;
    run(`leads back to the beginning, whatever was done (seed ${seed})`, async () => {
      const below = randomFrom(seed);
      const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)]!;
      const word = (): string => pick(['ab', 'a', 'b', '\n', 'é', '😀', '']);
      const words = (): string => Array.from({ length: below(8) }, word).join('');
      const paths = ['a.txt', 'b.txt', 'c/d.txt'];
      for (let count = 0; count < 3; count += 1) {
        await runtime.notes.create({ title: words(), text: words() });
        await runtime.files.write(paths[count]!, new Blob([words()]));
      }
      const before = await everything();
      for (let count = 0; count < 40; count += 1) {
        const { notes } = await runtime.notes.list();
        const { files } = await runtime.files.list();
        const id = notes.length > 0 ? pick(notes).id : await create(words(), words());
        const path = files.length > 0 ? pick(files).path : pick(paths);
        const to = pick(paths);
        await pick([
          () => create(words(), words()),
          () => call('append_to_note', { id, text: words() }),
          () => call('update_note', { id, title: words(), text: words() }),
          () => call('update_note', { id, text: words() }),
          () => call('delete_note', { id }),
          () => call('save_file', { path: pick(paths), text: words() }),
          async () => {
            if (files.length > 0) await call('delete_file', { path });
          },
          async () => {
            if (files.length > 0 && path !== to)
              await call('move_file', { from: path, to, overwrite: true });
          },
        ])();
      }
      await revertAll();
      expect(await everything()).to.deep.equal(before);
    });
  }

  for (const seed of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) {
    const run = seed === 1 ? it : itInAll;
    run(`takes nothing that the user has written, in whatever order (seed ${seed})`, async () => {
      const below = randomFrom(seed);
      const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)]!;
      let count = 0;
      const paths = ['a.txt', 'b.txt', 'c.txt'];
      const mine = (): string => `mine ${(count += 1)}`;
      const edited = (text: string, line: string): string => {
        const lines = text.split('\n');
        return lines.toSpliced(below(lines.length + 1), below(2), line).join('\n');
      };
      /** Adds lines only: what the user deletes is gone. */
      const withMine = (text: string): string => {
        const lines = text.split('\n');
        return lines.toSpliced(below(lines.length + 1), 0, mine()).join('\n');
      };
      const written = async (): Promise<string> => JSON.stringify(await everything());
      for (let step = 0; step < 60; step += 1) {
        const { notes } = await runtime.notes.list();
        const { files } = await runtime.files.list();
        const id = notes.length > 0 ? pick(notes).id : await create('Note', 'x\nx');
        const note = await runtime.notes.get(id);
        const path = files.length > 0 ? pick(files).path : undefined;
        const to = pick(paths);
        const line = pick(['x', 'y', '', 'z']);
        await pick([
          () => runtime.notes.update(id, { text: withMine(note.text) }),
          () => runtime.notes.create({ title: mine(), text: 'x\ny\nx' }),
          () => runtime.files.write(to, new Blob([mine()])),
          () => (path === undefined ? undefined : runtime.files.delete(path)),
          () => call('update_note', { id, text: edited(note.text, line) }),
          () => call('update_note', { id, text: edited(edited(note.text, line), line) }),
          () => call('append_to_note', { id, text: line }),
          () => call('delete_note', { id }),
          () => call('save_file', { path: to, text: line }),
          () => (path === undefined ? undefined : call('delete_file', { path })),
          () =>
            path === undefined || path === to
              ? undefined
              : call('move_file', { from: path, to, overwrite: true }),
        ])();
        if (below(8) > 0) continue;
        const changes = await runtime.history.list();
        if (changes.length === 0) continue;
        const before = await written();
        await runtime.history.revert(pick(changes).number).catch(() => undefined);
        const after = await written();
        for (const [words] of before.matchAll(/mine \d+(?!\d)/g))
          expect(after.includes(`${words}"`) || after.includes(`${words}\\`), words).to.equal(true);
      }
    });
  }
});

interface Log {
  changes: { [name: string]: unknown }[];
}

async function logOf(client: McpClient): Promise<Log> {
  const { contents } = await client.readResource('inpage:///activity');
  const [first] = contents;
  return JSON.parse(first && 'text' in first ? first.text : '') as Log;
}
