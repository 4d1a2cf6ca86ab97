import { expect } from '@esm-bundle/chai';
import type { Store, StoreError } from '@inpage-mcp/store';
import { randomFrom } from '../support/random.js';
import { codeOf, useStore } from './store-under-test.js';

const PATHS = ['a', 'b', 'c'];

describe('the revision of a file', () => {
  const test = useStore();
  const write = async (path: string, text = path): Promise<number> =>
    (await test.store.files.write(path, new Blob([text]))).revision;

  it('shows that it was deleted and made again', async () => {
    const { files } = test.store;
    const expectedRevision = await write('a', 'old');
    await files.delete('a');
    expect(await write('a', 'new')).to.equal(2);
    for (const call of [
      () => files.write('a', new Blob(['over it']), { expectedRevision }),
      () => files.update('a', { priority: 1 }, { expectedRevision }),
      () => files.move('a', 'b', { expectedRevision }),
      () => files.delete('a', { expectedRevision }),
    ]) {
      expect(await codeOf(call())).to.equal('conflict');
    }
    expect(await (await files.read('a')).blob.text()).to.equal('new');
  });

  it('shows that another one came to its place', async () => {
    const { files } = test.store;
    await write('a');
    expect((await files.move('a', 'b')).revision).to.equal(2);
    expect(await write('a', 'another')).to.equal(2);
    await files.delete('b');
    expect((await files.move('a', 'b')).revision).to.equal(3);
  });

  it('shows it after a reload, in another tab, and after everything was deleted', async () => {
    const former = await write('a', 'old');
    await test.store.files.delete('a');
    await test.reopen();
    const { files } = await test.openTab();
    const { revision } = await files.write('a', new Blob(['new']));
    expect(revision).to.be.above(former);
    await test.store.clear();
    expect(await write('a', 'newer')).to.be.above(revision);
  });

  for (let seed = 1; seed <= 5; seed++) {
    it(`never stands for two contents (seed ${seed})`, async () => {
      const below = randomFrom(seed);
      const anyPath = (): string => PATHS[below(PATHS.length)]!;
      const contents = new Map<string, string>();
      let reached = 0;
      for (let step = 0; step < 60; step++) {
        const { files } = test.store;
        const [path, to] = [anyPath(), anyPath()];
        const acts = [
          () => files.write(path, new Blob([`${step}`])),
          () => files.write(path, new Blob([`${step}`])),
          () => files.update(path, { priority: below(100) / 100 }),
          () => files.move(path, to, { overwrite: true }),
          () => files.delete(path),
          () => (below(8) === 0 ? test.store.clear() : files.delete(path)),
        ];
        // There may be no such file, or it may be at the target already.
        const failure = await acts[below(acts.length)]!().then(() => undefined, codeFrom);
        expect(failure).to.be.oneOf([undefined, 'not-found', 'invalid-argument']);
        for (const [key, content] of await contentsOf(test.store)) {
          expect(contents.get(key) ?? content, `${key}, step ${step}`).to.equal(content);
          contents.set(key, content);
        }
        reached = Math.max(reached, contents.size);
      }
      expect(reached).to.be.above(20);
    });
  }
});

const codeFrom = (error: unknown): unknown => (error as StoreError).code;

/** The contents of all files, by path and revision. */
async function contentsOf({ files }: Store): Promise<[key: string, content: string][]> {
  const { files: listed } = await files.list();
  return await Promise.all(
    listed.map(async ({ path, revision, priority }): Promise<[string, string]> => {
      const { blob } = await files.read(path);
      return [`${path} ${revision}`, `${await blob.text()} ${priority}`];
    }),
  );
}
