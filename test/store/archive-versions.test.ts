import { expect } from '@esm-bundle/chai';
import type { StoredFile } from '@inpage-mcp/store';
import { readRecords } from '../support/database.js';
import { useStore } from './store-under-test.js';

/**
 * The archive was made by the code of version 1. In its store the text of the note …FA4 was missing,
 * and the bytes of `lost.txt`; the text of the note …FA3 had half a surrogate pair.
 */
async function archiveOf(version: number): Promise<Blob> {
  const url = new URL(`../fixtures/archives/v${version}.zip`, import.meta.url);
  return await (await fetch(url)).blob();
}

const ID = '01ARZ3NDEKTSV4RRFFQ69G5FA';
const CREATED_AT = 1_469_918_176_385;
const UPDATED_AT = 1_700_000_000_000;

const noteAt = (number: number, fields: object): object => ({
  id: `${ID}${number}`,
  title: '',
  tags: [],
  createdAt: CREATED_AT + number,
  updatedAt: UPDATED_AT + number,
  revision: number + 1,
  ...fields,
});

const NOTES = [
  noteAt(0, { title: 'Plain', tags: ['a', 'b c'], text: '# The first line\n\nand more' }),
  noteAt(1, {
    title: 'Odd "quotes" / \\ : 題\n\u2028',
    tags: ['---', '__proto__', 'a, b'],
    audience: ['user'],
    priority: 0.25,
    text: '---\r\nno: front matter\r\n---\r\n\0\u{1f600}',
  }),
  noteAt(2, { revision: 2 ** 40, text: '' }),
  noteAt(3, { title: 'Half a surrogate pair', text: 'a\ufffdb' }),
];

const fileAt = (path: string, fields: object): object => ({
  path,
  mediaType: 'text/plain',
  createdAt: CREATED_AT,
  updatedAt: UPDATED_AT,
  revision: 1,
  ...fields,
});

const FILES = [
  fileAt('Ordner/ünïcode 文件 "[{,}]" \\.md', {
    mediaType: 'text/markdown',
    revision: 7,
    audience: ['assistant'],
    priority: 1,
    size: 7,
    digest: 'ee01522507f214e422701cd4b2b8fc4cf137eca4e22c64d8bd3739640d45d55d',
  }),
  fileAt('a/__proto__', {
    mediaType: 'image/png',
    priority: 0,
    size: 256,
    digest: '60bd11c69262f84ddfea5f0d116d40af862c4dd8c2a92fb90e368b132e8fa89c',
  }),
  fileAt('empty.bin', {
    mediaType: 'application/octet-stream',
    size: 0,
    digest: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  }),
];

describe('an archive of version 1', () => {
  const test = useStore();

  it('brings back all notes and files as they were', async () => {
    const report = await test.store.importZip(await archiveOf(1));
    const none = { updated: 0, unchanged: 0, older: 0, copied: 0 };
    expect(report).to.deep.equal({
      notes: { added: 4, ...none },
      files: { added: 3, ...none },
      edited: [],
      skipped: [],
      skippedCount: 0,
    });
    const { notes } = await test.store.notes.list();
    const whole = await Promise.all(notes.map(({ id }) => test.store.notes.get(id)));
    const contents = whole.map(({ firstLine: _line, size: _size, ...note }) => note);
    expect(contents.toReversed()).to.deep.equal(NOTES);
    const files = (await readRecords(test.name, 'files')) as StoredFile[];
    expect(files).to.deep.equal(FILES);
    const { blob } = await test.store.files.read(files[1]!.path);
    const bytes = new Uint8Array(await blob.arrayBuffer());
    expect(bytes.every((byte, index) => byte === index)).to.equal(true);
  });
});
