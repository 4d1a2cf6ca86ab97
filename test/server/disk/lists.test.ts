import { expect } from '@esm-bundle/chai';
import { BadPositionError } from '../../../packages/server/src/resources/resource-provider.js';
import { failureOf } from '../../support/failure.js';
import { describeDisk, EVERYTHING, foldersListed, uriOf, useDisk } from '../../support/disk.js';

/** In UTF-16, the last one comes before the one before it. */
const NAMES = ['a', 'a b', 'a.txt', 'B', 'é', '10', '9', 'src', 'src-2', '\uff5e', '\u{1f600}'];

type Random = (limit: number) => number;

/** Numbers from 0 to below a limit, the same for the same seed. */
const randomOf =
  (seed: number): Random =>
  (limit) =>
    (seed = (seed * 48_271) % 2_147_483_647) % limit;

/** The paths of a tree, those of folders with a slash at the end, in the order of the list. */
function randomTree(random: Random, depth = 0): string[] {
  const names = NAMES.filter(() => random(3 + depth) === 0).toSorted();
  return names.flatMap((name) => {
    if (depth === 3 || random(3) === 0) return [name];
    return [`${name}/`, ...randomTree(random, depth + 1).map((path) => `${name}/${path}`)];
  });
}

describeDisk('the list of the files of the disk', () => {
  const own = useDisk();

  for (const seed of [3, 4, 5]) {
    it(`is depth first and sorted, in pages of every size (tree ${seed})`, async () => {
      const random = randomOf(seed);
      const expected: string[] = [];
      // Mounted in the other order.
      for (const name of ['two', 'one']) {
        const paths = randomTree(random).slice(0, 14);
        await own.plant(...paths.toReversed().map((path) => `${name}/${path}`));
        await own.mount({}, await own.folderAt(name));
        const all = ['', ...paths].map((path) => uriOf(`${name}/${path}`));
        expected.unshift(...all.map((uri) => uri.replace('project/', '')));
      }
      for (let limit = 1; limit <= expected.length + 1; limit += 1)
        expect(await own.listed(EVERYTHING, limit), `by ${limit}`).to.eql(expected);
    });

    it(`misses and repeats nothing that stays, whatever comes and goes (tree ${seed})`, async () => {
      const random = randomOf(seed);
      const before = randomTree(random).slice(0, 40);
      await own.plant(...before);
      await own.mount();
      const gone = new Set<string>();
      const seen: string[] = [];
      let after: string | undefined;
      do {
        const page = await own.list(after, 1 + (seed % 3));
        seen.push(...page.resources.map(({ uri }) => uri));
        after = page.next;
        // What the cursor names, the folder that it is in, or anything.
        const path = after?.slice('project/'.length) ?? '';
        const parent = path.replace(/[^/]+\/?$/, '');
        const doomed = [path, parent, before[random(before.length)]!][random(6)];
        if (!doomed || gone.has(doomed)) continue;
        await own.remove(doomed);
        for (const one of before)
          if (one === doomed || (doomed.endsWith('/') && one.startsWith(doomed))) gone.add(one);
        await own.plant(`new ${seen.length}`, `${NAMES[random(NAMES.length)]} new/z`);
        await own.disk.control.refresh();
      } while (after !== undefined);
      expect(gone.size).to.be.above(0);
      expect(new Set(seen).size).to.equal(seen.length);
      const stayed = before.filter((path) => !gone.has(path)).map(uriOf);
      expect(seen.filter((uri) => stayed.includes(uri))).to.eql(stayed);
    });
  }

  it('goes on only from a position that the connection may know', async () => {
    await own.plant('a/x', 'b/y', 'c');
    await own.mount({ guests: true });
    const from = async (after: string, permitted = EVERYTHING) =>
      (await own.list(after, 1, permitted)).resources.map(({ name }) => name);
    expect(await from('project/a/')).to.eql(['x']);
    // It may have been deleted.
    expect(await from('project/a/z')).to.eql(['b/']);
    const guest = own.guest(uriOf('b/'));
    expect(await from('project/b/', guest)).to.eql(['y']);
    const bad = ['', '/', 'project//a', '/project', 'project/../a', 'project/.', 'a\0', '\ud800'];
    const refused = [
      ...bad.map((position) => from(position)),
      ...['project/', 'project/a/x', 'project/c', 'x'].map((position) => from(position, guest)),
    ];
    for (const one of refused) expect(await failureOf(one)).to.be.instanceOf(BadPositionError);
  });

  it('of a guest is what it may read, and looks into no other folder', async () => {
    await own.plant('other/deep/x', 'src/a/b/c', 'src/a.txt', 'src.txt', 'src2/x');
    for (const [read, uris, folders] of [
      ['src/', 'src/ src/a/ src/a/b/ src/a/b/c src/a.txt', 'project src a b'],
      ['src/a/b/c', 'src/a/b/c', 'project src a b'],
      ['src.txt', 'src.txt', 'project'],
      [
        'src/a/ src/ src2/x',
        'src/ src/a/ src/a/b/ src/a/b/c src/a.txt src2/x',
        'project src a b src2',
      ],
      ['none/', '', 'project'],
      ['', '', ''],
    ] as const) {
      await own.mount({ guests: true });
      const guest = own.guest('disk:///elsewhere/', ...pathsIn(read).map(uriOf));
      const looked = await foldersListed(async () =>
        expect(await own.listed(guest, 1)).to.eql(pathsIn(uris).map(uriOf)),
      );
      expect(looked.join(' '), read).to.equal(folders);
    }
  });
});

const pathsIn = (text: string): string[] => text.split(' ').filter(Boolean);
