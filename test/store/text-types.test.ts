import { expect } from '@esm-bundle/chai';
import { openStore, type Store } from '@inpage-mcp/store';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';

/** What a browser says of a file, as its system has it, and what the file is. */
const files: [path: string, guess: string, mediaType: string][] = [
  ['a.ts', 'video/mp2t', 'text/typescript'],
  ['src/a.test.TS', 'text/vnd.trolltech.linguist', 'text/typescript'],
  ['a.tsx', '', 'text/typescript'],
  ['a.mts', 'video/mp2t', 'text/typescript'],
  ['a.cts', '', 'text/typescript'],
  ['a.jsx', 'text/plain', 'text/jsx'],
  ['a.mjs', 'application/javascript', 'text/javascript'],
  ['a.csv', 'application/vnd.ms-excel', 'text/csv'],
  ['a.tsv', 'text/plain', 'text/tab-separated-values'],
  ['README.md', 'text/plain', 'text/markdown'],
  ['a.json', 'text/plain', 'application/json'],
  ['a.jsonl', '', 'application/x-ndjson'],
  ['a.yml', 'application/x-yaml', 'application/yaml'],
  ['a.toml', '', 'application/toml'],
  ['a.sql', 'text/x-sql', 'application/sql'],
  ['a.ini', '', 'text/plain'],
  ['a.log', 'text/x-log', 'text/plain'],
  ['a.srt', 'application/x-subrip', 'text/x-subrip'],
  ['a.vtt', '', 'text/vtt'],
  ['a.py', 'text/x-python-script', 'text/x-python'],
  ['a.rs', 'application/rls-services+xml', 'text/x-rust'],
  ['a.kts', '', 'text/x-kotlin'],
  ['a.rb', 'application/x-ruby', 'text/x-ruby'],
  ['a.h', '', 'text/x-c'],
  ['a.c', '', 'text/x-c'],
  ['a.hpp', '', 'text/x-c++'],
  ['a.cs', '', 'text/x-csharp'],
  ['a.sh', 'application/x-shellscript', 'text/x-sh'],
  ['a.svelte', '', 'text/x-svelte'],
  ['a.go', '', 'text/x-go'],
  ['a.php', 'application/x-php', 'text/x-php'],
  ['a.patch', 'text/x-patch', 'text/x-patch'],
  ['docker/Dockerfile', '', 'text/x-dockerfile'],
  ['Makefile', 'text/x-makefile', 'text/x-makefile'],
  // Of everything else the browser knows more.
  ['a.ods', 'application/vnd.oasis.opendocument.spreadsheet', ''],
  ['a.html', 'text/html', ''],
  // Neither the end of another extension, nor the whole of a name, nor a folder.
  ['a.xts', 'application/x-own', ''],
  ['go', 'application/x-own', ''],
  ['a.go/b', 'application/x-own', ''],
  ['a.(ts', 'application/x-own', ''],
  ['profile', 'application/x-own', ''],
  ['a.undefined', 'application/x-own', ''],
];

/** Packets as they are sent, or with what cameras put before each. */
function transportStream(lead: number): Uint8Array<ArrayBuffer> {
  const size = 188 + lead;
  return Uint8Array.from({ length: 4 * size }, (_, index) => (index % size === lead ? 0x47 : 0));
}

describe('the types of text and code', () => {
  let name: string;
  let store: Store;

  before(async () => {
    name = freshDatabaseName();
    store = await openStore(name);
  });

  after(async () => {
    store.close();
    await deleteDatabase(name);
  });

  const typeOf = async (path: string, content: BlobPart, type: string): Promise<string> =>
    (await store.files.write(path, new Blob([content], { type }))).mediaType;

  for (const [path, guess, mediaType] of files) {
    it(`make ${path}, which is "${guess}" to the browser, ${mediaType || 'the same'}`, async () => {
      expect(await typeOf(path, 'x', guess)).to.equal(mediaType || guess);
    });
  }

  it('leave a video as one that only has the extension of TypeScript', async () => {
    for (const guess of ['video/mp2t', 'text/vnd.trolltech.linguist', '']) {
      expect(await typeOf('a.ts', transportStream(0), guess)).to.equal('video/mp2t');
      expect(await typeOf('a.MTS', transportStream(4), guess)).to.equal('video/mp2t');
    }
    expect(await typeOf('a.ts', '', 'video/mp2t')).to.equal('text/typescript');
    // Code that begins as a packet does.
    expect(await typeOf('a.ts', `G${' '.repeat(187)}G`, 'video/mp2t')).to.equal('text/typescript');
    expect(await typeOf('a.js', transportStream(0), '')).to.equal('text/javascript');
  });

  it('give way to the type that the caller gives', async () => {
    const options = { mediaType: 'video/mp2t' };
    const file = await store.files.write('chosen.ts', new Blob(['x']), options);
    expect(file.mediaType).to.equal('video/mp2t');
  });
});
