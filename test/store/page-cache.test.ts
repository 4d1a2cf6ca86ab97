import { expect } from '@esm-bundle/chai';
import { MAX_TITLE_LENGTH, type NoteSummary } from '@inpage-mcp/store';
// Internal to the package: how often something is read shows only here.
import { PageCache } from '../../packages/store/src/records/page-cache.js';
import { failureOf } from '../support/failure.js';
import { useStore } from './store-under-test.js';

async function all<Entry>(pages: AsyncIterable<readonly Entry[]>): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const page of pages) entries.push(...page);
  return entries;
}

describe('pages that are kept', () => {
  let reads: number;
  let length: number;
  let cache: PageCache<string>;
  let between: () => void;

  beforeEach(() => {
    reads = 0;
    length = 1;
    between = () => undefined;
    cache = new PageCache({
      async *read(signal) {
        reads += 1;
        yield ['a', 'b'];
        between();
        signal?.throwIfAborted();
        yield ['c'];
      },
      lengthOf: () => length,
    });
  });

  it('are read once, and given again', async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await all(cache.pages())).to.deep.equal(['a', 'b', 'c']);
    }
    expect(reads).to.equal(1);
  });

  it('are read again after they were dropped, also while they were read', async () => {
    await all(cache.pages());
    cache.invalidate();
    between = () => cache.invalidate();
    await all(cache.pages());
    between = () => undefined;
    await all(cache.pages());
    await all(cache.pages());
    expect(reads).to.equal(3);
  });

  it('are not kept where somebody stopped half-way', async () => {
    for await (const page of cache.pages()) {
      expect(page).to.deep.equal(['a', 'b']);
      break;
    }
    await all(cache.pages());
    expect(reads).to.equal(2);
  });

  it('are not kept where there are too many, and given all the same', async () => {
    for (const [longest, expected] of [
      [4_000_000, 1],
      [4_000_001, 3],
    ] as const) {
      reads = 0;
      cache.invalidate();
      length = longest / 3;
      for (let turn = 0; turn < 3; turn += 1) await all(cache.pages());
      expect(await all(cache.pages())).to.deep.equal(['a', 'b', 'c']);
      expect(reads).to.equal(expected === 1 ? 1 : 4);
    }
  });

  it('end with the signal', async () => {
    const controller = new AbortController();
    between = () => controller.abort(new Error('gone'));
    const reading = all(cache.pages(controller.signal));
    expect(await failureOf(reading)).to.have.property('message', 'gone');
    await all(cache.pages());
    expect(await failureOf(all(cache.pages(controller.signal)))).to.have.property(
      'message',
      'gone',
    );
    expect(reads).to.equal(2);
  });
});

describe('the names of notes and files', () => {
  const test = useStore();

  const names = async (): Promise<string[]> =>
    (await all(test.store.notes.names())).map(({ title }) => title);
  const paths = async (): Promise<string[]> =>
    (await all(test.store.files.names())).map(({ path, size }) => `${path} ${size}`);

  it('are those of the moment, no matter which tab has changed them', async () => {
    const { notes } = test.store;
    const { id } = await notes.create({ title: 'a', text: '' });
    expect(await names()).to.deep.equal(['a']);
    await notes.create({ title: 'b', text: '' });
    expect(await names()).to.deep.equal(['b', 'a']);
    await notes.update(id, { title: 'c' });
    expect(await names()).to.deep.equal(['b', 'c']);
    await notes.update(id, { text: 'more' });
    await notes.delete(id);
    expect(await names()).to.deep.equal(['b']);
    const tab = await test.openTab();
    const notification = new Promise((resolve) => test.store.changes.listen(resolve));
    await tab.notes.create({ title: 'theirs', text: '' });
    await notification;
    expect(await names()).to.deep.equal(['theirs', 'b']);
    await test.store.clear();
    expect(await names()).to.deep.equal([]);
  });

  it('are read once, whatever is written that they do not contain', async () => {
    const { notes } = test.store;
    const { id } = await notes.create({ title: 'a', text: 'b' });
    const { summaries } = notes;
    let reads = 0;
    notes.summaries = (options) => {
      reads += 1;
      return summaries.call(notes, options);
    };
    for (let turn = 0; turn < 3; turn += 1) await names();
    await notes.append(id, 'more');
    await test.store.files.write('a', new Blob(['a']));
    await names();
    expect(reads).to.equal(1);
  });

  it('of files say how large they are', async () => {
    await test.store.files.write('b', new Blob(['b']));
    expect(await paths()).to.deep.equal(['b 1']);
    await test.store.files.write('b', new Blob(['bb']));
    await test.store.files.write('a', new Blob(['a']));
    expect(await paths()).to.deep.equal(['a 1', 'b 2']);
  });

  it('are those of a scope, and no others', async () => {
    const { notes, files } = test.store;
    const { id } = await notes.create({ title: 'a', text: '' });
    await notes.create({ title: 'b'.repeat(MAX_TITLE_LENGTH), text: '' });
    await files.write('in/a', new Blob(['a']));
    await files.write('out', new Blob(['a']));
    await Promise.all([names(), paths()]);
    const scope = {
      notes: new Set([id]),
      files: { paths: new Set<string>(), folders: new Set(['in']) },
    };
    const part = test.store.within(() => scope);
    const found = (await all(part.notes.names())) as NoteSummary[];
    expect(found.map(({ title }) => title)).to.deep.equal(['a']);
    expect((await all(part.files.names())).map(({ path }) => path)).to.deep.equal(['in/a']);
  });
});
