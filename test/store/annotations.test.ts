import { expect } from '@esm-bundle/chai';
import type { Annotations, Audience, NoteUpdate } from '@inpage-mcp/store';
import { codeOf, useStore } from './store-under-test.js';

type Update = Pick<NoteUpdate, 'audience' | 'priority'>;

/** What a record says of audience and priority, and nothing where it says nothing. */
function annotationsOf(record: Annotations): Annotations {
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => name === 'audience' || name === 'priority'),
  );
}

/** Step by step: what is given, and what the record then says. */
const steps: [update: Update, annotations: Annotations, listingChanged: boolean][] = [
  [{}, {}, false],
  [{ audience: ['user'] }, { audience: ['user'] }, true],
  [{ priority: 0 }, { audience: ['user'], priority: 0 }, true],
  [{}, { audience: ['user'], priority: 0 }, false],
  [{ audience: ['user'], priority: 0 }, { audience: ['user'], priority: 0 }, false],
  [
    { audience: ['assistant', 'user'], priority: 1 },
    { audience: ['assistant', 'user'], priority: 1 },
    true,
  ],
  [{ audience: null }, { priority: 1 }, true],
  [{ audience: null }, { priority: 1 }, false],
  [{ priority: null }, {}, true],
];

const bad: object[] = [
  { audience: [] },
  { audience: ['user', 'user'] },
  { audience: ['user', 'assistant', 'user'] },
  { audience: ['users'] },
  { audience: [null] },
  { audience: 'user' },
  { audience: {} },
  { priority: -Number.MIN_VALUE },
  { priority: 1 + Number.EPSILON },
  { priority: Number.NaN },
  { priority: Number.POSITIVE_INFINITY },
  { priority: '1' },
  { priority: [] },
];

describe('audience and priority', () => {
  const test = useStore();

  it('of a note are kept, changed and removed by its updates', async () => {
    const { id } = await test.store.notes.create({ title: 'a', text: 'b' });
    for (const [update, annotations, listingChanged] of steps) {
      const note = await test.store.notes.update(id, update);
      expect(annotationsOf(note)).to.deep.equal(annotations);
      expect(await test.store.notes.get(id)).to.deep.equal(note);
      expect(test.changes.at(-1)).to.include({ type: 'updated', listingChanged });
    }
  });

  it('of a file are kept, changed and removed by its updates, which leave the bytes', async () => {
    const first = await test.store.files.write('a', new Blob(['b']));
    for (const [index, [update, annotations, listingChanged]] of steps.entries()) {
      const file = await test.store.files.update('a', update);
      expect(annotationsOf(file)).to.deep.equal(annotations);
      const { mediaType, size, createdAt } = first;
      expect(file).to.include({ path: 'a', mediaType, size, createdAt, revision: index + 2 });
      expect(await test.store.files.get('a')).to.deep.equal(file);
      expect(test.changes.at(-1)).to.deep.equal({
        kind: 'file',
        key: 'a',
        type: 'updated',
        listingChanged,
      });
    }
    expect(await (await test.store.files.read('a')).blob.text()).to.equal('b');
  });

  it('of a file are kept, changed and removed when it is written again', async () => {
    await test.store.files.write('a', new Blob(['b']));
    for (const [options, annotations, listingChanged] of steps) {
      const file = await test.store.files.write('a', new Blob(['b']), options);
      expect(annotationsOf(file)).to.deep.equal(annotations);
      expect(test.changes.at(-1)).to.include({ type: 'updated', listingChanged });
    }
  });

  it('can be given to what is new', async () => {
    const given: Annotations = { audience: ['assistant'], priority: 0.25 };
    const note = await test.store.notes.create({ title: 'a', text: 'b', ...given });
    expect(annotationsOf(note)).to.deep.equal(given);
    expect((await test.store.notes.list()).notes.map(annotationsOf)).to.deep.equal([given]);
    await test.store.files.write('a', new Blob(['b']), given);
    expect((await test.store.files.list()).files.map(annotationsOf)).to.deep.equal([given]);
  });

  it('are not shared with what the caller gave', async () => {
    const audience: Audience[] = ['user'];
    const note = await test.store.notes.create({ title: 'a', text: 'b', audience });
    audience.push('assistant');
    expect(note.audience).to.deep.equal(['user']);
  });

  for (const given of bad) {
    it(`are refused as ${show(given)}, and nothing is written`, async () => {
      const { id } = await test.store.notes.create({ title: 'a', text: 'b' });
      await test.store.files.write('a', new Blob(['b']));
      const { notes, files } = test.store;
      for (const call of [
        notes.create({ title: '', text: '', ...given }),
        notes.update(id, given),
        files.write('a', new Blob(['c']), given),
        files.update('a', given),
      ]) {
        expect(await codeOf(call)).to.equal('invalid-argument');
      }
      expect(test.changes).to.have.length(2);
    });
  }

  it('cannot be removed from what does not exist yet', async () => {
    const call = test.store.notes.create({ title: '', text: '', audience: null as never });
    expect(await codeOf(call)).to.equal('invalid-argument');
  });

  it('of a file are not changed at another revision, nor of no file', async () => {
    await test.store.files.write('a', new Blob(['b']));
    const { files } = test.store;
    expect(await codeOf(files.update('a', {}, { expectedRevision: 2 }))).to.equal('conflict');
    expect(await codeOf(files.update('b', { priority: 1 }))).to.equal('not-found');
    expect(await codeOf(files.update('/', { priority: 1 }))).to.equal('invalid-argument');
    await files.update('a', { priority: 1 }, { expectedRevision: 1 });
    expect(await files.get('a')).to.include({ priority: 1, revision: 2 });
  });
});

function show(given: object): string {
  const [[name, value]] = Object.entries(given) as [[string, unknown]];
  return `${name} ${typeof value === 'number' ? value : JSON.stringify(value)}`;
}
