import { expect } from '@open-wc/testing';
// Internal to the package, and tested where its limits can be counted.
import { ExportRoots } from '../../packages/store/src/archive/export-roots.js';
import type { ZipEntry } from '../../packages/store/src/archive/read-zip.js';

const entry = (name: string): ZipEntry => ({
  name,
  isGarbled: false,
  method: 0,
  crc: 0,
  compressedSize: 1,
  size: 1,
  offset: 0,
  modifiedAt: 0,
});

/** Of folders with one note more than the one before. */
async function bestOf(names: readonly string[]): Promise<string> {
  const roots = new ExportRoots();
  for (const name of names) roots.add(entry(name));
  const isOurs = (name: string): boolean => name.startsWith('ours/');
  const best = await roots.best(({ name }) =>
    Promise.resolve(isOurs(name) ? '{"format":"inpage-mcp archive"}' : '{}'),
  );
  return best.folder;
}

const many = (count: number, file: string): string[] =>
  Array.from({ length: count }, (_, index) => `other-${index}/${file}`);

describe('the folder of an export in an archive', () => {
  it('is found as the 1,000th that may be one, and no later', async () => {
    const ours = ['ours/manifest.jsonl', 'ours/notes/a.md'];
    // Without a manifest of ours, the one with the most notes is taken.
    const largest = ['other-0/notes/b.md', 'other-0/notes/c.md'];
    for (const [count, folder] of [
      [999, 'ours/'],
      [1_000, 'other-0/'],
    ] as const)
      expect(await bestOf([...many(count, 'notes/a.md'), ...ours, ...largest])).to.equal(folder);
  });

  it('is found beside 499 web apps with a list of that name, and beside more with its own', async () => {
    const old = ['ours/manifest.json', 'ours/notes/a.md'];
    expect(await bestOf([...many(499, 'manifest.json'), ...old])).to.equal('ours/');
    const hidden = [...many(500, 'manifest.json'), 'ours/manifest.json', 'ours/files/a.txt'];
    expect(await bestOf(hidden)).to.equal('');
    expect(await bestOf([...many(500, 'manifest.json'), 'ours/manifest.jsonl'])).to.equal('ours/');
  });

  it('is found by the 20th manifest that is read, and not by the 21st', async () => {
    // Those with more entries are read before.
    const others = (count: number): string[] =>
      ['manifest.jsonl', 'notes/a.md', 'notes/b.md'].flatMap((file) => many(count, file));
    const ours = ['ours/manifest.jsonl', 'ours/notes/a.md'];
    expect(await bestOf([...others(19), ...ours])).to.equal('ours/');
    expect(await bestOf([...others(20), ...ours])).to.equal('other-0/');
  });
});
