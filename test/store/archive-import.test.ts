import { expect } from '@esm-bundle/chai';
import {
  type ImportReport,
  MAX_PATH_BYTES,
  MAX_TEXT_BYTES,
  type StoredFile,
  type StoreError,
} from '@inpage-mcp/store';
import { crc32 } from '../../packages/store/src/archive/crc32.js';
import { countingTransactions, readRecords } from '../support/database.js';
import { failureOf } from '../support/failure.js';
import { openArchive } from './archive-under-test.js';
import { useStore } from './store-under-test.js';
import { type BuiltEntry, buildZip, bytesOf, deflate } from './zip-builder.js';
import { itInAll } from '../support/it-in-all.js';

const NOTHING = { added: 0, updated: 0, unchanged: 0, older: 0, copied: 0 };
const ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const GOOD_ID = '01BX5ZZKBKACTAV9WEVGEMMVRZ';
const TIME = '2024-02-29T12:34:56.789Z';

/** A note as it is exported, with some of its fields another; null leaves one out. */
function noteText(fields: { [name: string]: string | null } = {}, body = 'text'): string {
  const all = {
    id: `"${ID}"`,
    title: '"title"',
    tags: '[]',
    created: `"${TIME}"`,
    updated: `"${TIME}"`,
    revision: '3',
    ...fields,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${value}`],
  );
  return ['---', ...lines, '---', body].join('\n');
}

const note = (fields?: { [name: string]: string | null }, body?: string): BuiltEntry => ({
  name: `notes/a-${Math.random()}.md`,
  content: bytesOf(noteText(fields, body)),
});

const fileRecord = (path: string, size: number): object => ({
  path,
  mediaType: 'text/plain',
  size,
  createdAt: 1,
  updatedAt: 2,
  revision: 3,
});

const HEAD = { format: 'inpage-mcp archive', version: 2 };

function manifest(files: unknown[] = [], others: unknown[] = [], head: object = HEAD): BuiltEntry {
  const lines = [head, ...files.map((file) => ({ file })), ...others];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  return { name: 'manifest.jsonl', content: bytesOf(text) };
}

/** The manifest of version 1. */
function firstManifest(files: unknown[] = [], rest: object = {}): BuiltEntry {
  const content = { ...HEAD, version: 1, files, unreadable: [], ...rest };
  return { name: 'manifest.json', content: bytesOf(JSON.stringify(content)) };
}

describe('bringing in an archive', () => {
  const test = useStore();

  const importing = (entries: readonly BuiltEntry[]): Promise<ImportReport> =>
    test.store.importZip(buildZip(entries));
  const good = note({ id: `"${GOOD_ID}"` });
  const file: BuiltEntry = { name: 'files/a', content: Uint8Array.of(0) };

  describe('that is none of ours', () => {
    const huge = async (): Promise<Blob> => {
      // A million entries and one, none of which has any bytes: without the folders, they would be fewer.
      const [file, folder] = await Promise.all(
        ['x', '/'].map((name) =>
          buildZip([{ name }])
            .slice(31, 31 + 47)
            .bytes(),
        ),
      );
      const both = [...file!, ...folder!];
      const thousand = Uint8Array.from(
        { length: 500 * both.length },
        (_, at) => both[at % both.length]!,
      );
      const directory = new Blob([...Array.from({ length: 1_000 }, () => thousand), file!]);
      const end = new DataView(new ArrayBuffer(22));
      end.setUint32(0, 0x06_05_4b_50, true);
      end.setUint32(12, directory.size, true);
      return new Blob([directory, end]);
    };
    const others: [what: string, make: () => unknown, reason: RegExp][] = [
      ['no Blob', () => 'PK', /Blob/],
      ['nothing', () => new Blob([]), /not a zip/],
      ['no zip', () => new Blob(['x'.repeat(100_000)]), /not a zip/],
      ['half an archive', () => buildZip([manifest(), good]).slice(0, -30), /not a zip/],
      ['no manifest and no notes', () => buildZip([{ ...good, name: 'a.md' }]), /no manifest/],
      [
        'the manifest of another program',
        () => buildZip([file, manifest([], [], { ...HEAD, format: 'x' })]),
        /exported by this app/,
      ],
      [
        'the manifest of another program in one piece',
        () => buildZip([file, firstManifest([], { format: 'x' })]),
        /exported by this app/,
      ],
      [
        'a manifest of a later version',
        () => buildZip([good, manifest([], [], { ...HEAD, version: 3 })]),
        /version 3/,
      ],
      [
        'no JSON',
        () => buildZip([file, { name: 'manifest.jsonl', content: bytesOf('{') }]),
        /damaged/,
      ],
      [
        'no JSON in one piece',
        () => buildZip([file, { name: 'manifest.json', content: bytesOf('{') }]),
        /damaged/,
      ],
      [
        'a list',
        () => buildZip([file, { name: 'manifest.jsonl', content: bytesOf('[1]') }]),
        /exported by this app/,
      ],
      [
        'a directory that has lost its entries',
        async () => {
          const bytes = await buildZip([{ name: 'files/a' }, manifest()]).bytes();
          // Its size, in the record at the end.
          bytes.fill(0, bytes.length - 10, bytes.length - 6);
          return new Blob([bytes]);
        },
        /directory of the zip archive is damaged/,
      ],
      [
        'a directory in which the name of the manifest is damaged',
        async () => {
          const bytes = await buildZip([{ name: 'files/a' }, manifest()]).bytes();
          bytes[bytes.length - 22 - 'manifest.jsonl'.length] = 0x78;
          return new Blob([bytes]);
        },
        /directory of the zip archive is damaged/,
      ],
      ['too many entries, files and folders', huge, /1000000 entries/],
      [
        'a manifest in one piece of more than 32 MiB',
        () => {
          // Nothing of it is inflated.
          const [size, deflated] = [32 * 1024 * 1024 + 1, new Uint8Array(40_000)];
          return buildZip([file, { name: 'manifest.json', size, deflated }]);
        },
        /manifest.json: .*33554432 bytes/,
      ],
      [
        'a manifest that inflates to a thousand times as much, all of it blank lines',
        async () => {
          const content = bytesOf(`${JSON.stringify(HEAD)}\n${'\n'.repeat(2e6)}`);
          const deflated = await deflate(content);
          return buildZip([good, { name: 'manifest.jsonl', content, deflated }]);
        },
        /too long/,
      ],
      [
        'a record without end',
        () => {
          const content = bytesOf(`{"file":{"path":"${'x'.repeat(1e6)}"}}`);
          return buildZip([file, { name: 'manifest.jsonl', content }]);
        },
        /damaged/,
      ],
      [
        'the same bytes many times',
        () => {
          const content = new Uint8Array(1_000);
          const all = Array.from({ length: 50 }, (_, index) => ({
            name: `files/${index}`,
            content,
          }));
          const whole = buildZip([manifest(), ...all]);
          // The directory alone, behind the bytes of one.
          return new Blob([whole.slice(0, 1_000), tailOf(whole, all.length, 1_000)]);
        },
        /overlap/,
      ],
    ];
    for (const [what, make, reason] of others) {
      const run = make === huge ? itInAll : it;
      run(`but ${what} is refused, and nothing is written`, async () => {
        const before = await readRecords(test.name, 'head');
        const error = await failureOf(test.store.importZip((await make()) as Blob));
        expect(error).to.include({ name: 'StoreError', code: 'invalid-argument' });
        expect((error as Error).message).to.match(reason);
        expect(await readRecords(test.name, 'head')).to.deep.equal(before);
        expect(test.changes).to.deep.equal([]);
      });
    }
  });

  describe('with a bad note', () => {
    const bad: [what: string, entry: BuiltEntry, reason: RegExp][] = [
      ['too long a text', note({}, 'x'.repeat(MAX_TEXT_BYTES + 1)), /text/],
      ['bytes that are no text', { name: 'notes/a.md', content: Uint8Array.of(0xff) }, /UTF-8/],
      ['no Markdown', { name: 'notes/a.html', content: bytesOf('<p>') }, /Markdown/],
      ['another CRC', { ...note(), crc: 1 }, /damaged/],
      ['sizes that are nowhere', { ...note(), size: 0xff_ff_ff_ff }, /missing/],
      ['a size beyond any', { ...note(), zip64: true, size: 2 ** 60, method: 8 }, /as large/],
    ];
    for (const [what, entry, reason] of bad) {
      it(`of ${what} reports it, and takes the others`, async () => {
        const report = await importing([entry, good, manifest()]);
        expect(report.notes).to.deep.equal({ ...NOTHING, added: 1 });
        expect(report.skippedCount).to.equal(1);
        expect(report.skipped[0]!.name).to.equal(entry.name);
        expect(report.skipped[0]!.reason).to.match(reason);
        expect((await test.store.notes.list()).notes.map(({ id }) => id)).to.deep.equal([GOOD_ID]);
      });
    }

    it('but takes texts in the encodings of other programs', async () => {
      const texts: [name: string, bytes: number[], text: string][] = [
        ['mark', [0xef, 0xbb, 0xbf, 0x23, 0x20, 0x61], '# a'],
        ['utf-16', [0xff, 0xfe, 0x23, 0, 0x20, 0, 0xe9, 0], '# é'],
        ['windows', [0x63, 0x61, 0x66, 0xe9], 'café'],
      ];
      const entries = texts.map(([name, bytes]) => {
        return { name: `notes/${name}.md`, content: Uint8Array.from(bytes) };
      });
      const report = await importing([...entries, manifest()]);
      expect(report.notes).to.deep.equal({ ...NOTHING, added: texts.length });
      for (const { id, title } of (await test.store.notes.list()).notes) {
        const [, , text] = texts.find(([name]) => name === title)!;
        expect((await test.store.notes.get(id)).text).to.equal(text);
      }
    });

    itInAll('takes the others beside a manifest of version 1 of the greatest size', async () => {
      const json = JSON.stringify({ ...HEAD, version: 1 }).padEnd(32 * 1024 * 1024);
      const zip = buildZip([good, { name: 'manifest.json', content: bytesOf(json) }]);
      const report = await test.store.importZip(zip);
      expect(report.notes).to.deep.equal({ ...NOTHING, added: 1 });
    });

    it('that inflates without end reports it, and takes the others', async () => {
      const content = new Uint8Array(MAX_TEXT_BYTES + 1);
      const bomb = { content, deflated: await deflate(content), crc: crc32(content) };
      const bombs = [
        { ...bomb, name: 'notes/claims-all.md' },
        { ...bomb, name: 'notes/claims-less.md', size: 10 },
        { ...bomb, name: 'files/claims-less', size: 10 },
      ];
      const report = await importing([...bombs, good, manifest()]);
      expect(report.notes.added).to.equal(1);
      expect(report.skipped.map(({ name }) => name)).to.deep.equal(bombs.map(({ name }) => name));
      expect(await test.store.files.count()).to.equal(0);
    });

    it('names a thousand of them at most, and counts all', async () => {
      const all = Array.from({ length: 1_100 }, () => ({ ...good, content: Uint8Array.of(0xff) }));
      const report = await importing([...all, manifest()]);
      expect(report.skipped).to.have.length(1_000);
      expect(report.skippedCount).to.equal(1_100);
    });
  });

  describe('that other hands have packed', () => {
    const mine = { name: 'files/manifest.jsonl', content: bytesOf('mine') };
    const listed = manifest([{ ...fileRecord('manifest.jsonl', 4), mediaType: 'text/x-own' }]);
    const inFolder = (folder: string, entries: BuiltEntry[]): BuiltEntry[] =>
      entries.map((entry) => ({ ...entry, name: `${folder}/${String(entry.name)}` }));
    const beside = { name: 'read me.txt', content: bytesOf('x') };
    const archives: [what: string, entries: BuiltEntry[], skipped: string[], type: string][] = [
      ['without its manifest', [note(), mine], [], 'application/x-ndjson'],
      ['without it, in a folder', inFolder('a', [note(), mine]), [], 'application/x-ndjson'],
      [
        'in a folder, beside a file',
        [beside, ...inFolder('a/b', [note(), mine, listed])],
        [beside.name],
        'text/x-own',
      ],
      [
        'with its manifest in capitals',
        [note(), mine, { ...listed, name: 'MANIFEST.JSONL' }],
        [],
        'text/x-own',
      ],
      [
        'with its folders in capitals',
        [{ ...note(), name: 'NOTES/a.md' }, { ...mine, name: 'Files/manifest.jsonl' }, listed],
        [],
        'text/x-own',
      ],
      [
        'beside the manifest of a web app',
        [
          { name: 'manifest.json', content: bytesOf('{"name":"app"}') },
          ...inFolder('export', [note(), mine, listed]),
        ],
        ['manifest.json'],
        'text/x-own',
      ],
      [
        'beside shorter folders, one with such a manifest, and one with a note',
        [
          { name: 'a/manifest.json', content: bytesOf('{"name":"app"}') },
          { ...note(), name: 'b/notes/other.md' },
          ...inFolder('export', [note(), mine, listed]),
        ],
        ['a/manifest.json', 'b/notes/other.md'],
        'text/x-own',
      ],
      [
        'with a blank line before its manifest',
        [
          note(),
          mine,
          { ...listed, content: bytesOf(`\n${new TextDecoder().decode(listed.content)}`) },
        ],
        [],
        'text/x-own',
      ],
    ];
    for (const [what, entries, skipped, type] of archives)
      it(`${what} gives back the notes and the files`, async () => {
        const report = await importing(entries);
        expect(report.notes).to.deep.equal({ ...NOTHING, added: 1 });
        expect(report.files).to.deep.equal({ ...NOTHING, added: 1 });
        expect(report.skipped.map(({ name }) => name)).to.deep.equal(skipped);
        expect((await test.store.files.get('manifest.jsonl')).mediaType).to.equal(type);
      });
  });

  describe('beside others', () => {
    const mine = { name: 'files/mine.txt', content: bytesOf('mine') };
    const listed = manifest([{ ...fileRecord('mine.txt', 4), mediaType: 'text/x-own' }]);
    const backup = [note(), mine, listed];
    const within = (folder: string, entries: BuiltEntry[]): BuiltEntry[] =>
      entries.map((entry) => ({ ...entry, name: `${folder}/${String(entry.name)}` }));
    const foreign = (name: string): BuiltEntry => ({ name, content: bytesOf('{"name":"x"}\n') });
    const archives: { [what: string]: BuiltEntry[] } = {
      'a file in a folder that is called as those of an export': [
        { name: 'files/mine.txt', content: bytesOf('foreign') },
        ...within('backup', backup),
      ],
      'the same in capitals': [{ name: 'Files/mine.txt', content: bytesOf('foreign') }, ...backup],
      'a note and files': [
        note(),
        { name: 'files/b.txt', content: bytesOf('b') },
        { name: 'files/c.txt', content: bytesOf('c') },
        ...within('backup', backup),
      ],
      'the list of another program': [foreign('data/manifest.jsonl'), ...within('backup', backup)],
      'the list of another program, and notes': [
        foreign('x/manifest.jsonl'),
        ...within('x', [note(), note()]),
        ...within('backup', backup),
      ],
      'such a list at the top': [foreign('manifest.jsonl'), ...within('backup', backup)],
      'such a list in capitals': [foreign('MANIFEST.JSONL'), ...backup],
      'a web app': [
        foreign('manifest.json'),
        { name: 'files/logo.svg', content: bytesOf('<svg/>') },
        ...within('backup', backup),
      ],
      'very many web apps': [
        ...Array.from({ length: 1_100 }, (_, n) => foreign(`node_modules/p${n}/manifest.json`)),
        ...within('backup', backup),
      ],
      'nothing, in a folder called files': within('Files', backup),
      'nothing, in a folder called notes': within('notes/old', backup),
    };
    for (const [what, entries] of Object.entries(archives))
      it(`is found by its manifest (${what})`, async () => {
        const report = await importing(entries);
        expect(report.notes).to.deep.equal({ ...NOTHING, added: 1 });
        expect(report.files).to.deep.equal({ ...NOTHING, added: 1 });
        expect(report.edited).to.deep.equal([]);
        const { file, blob } = await test.store.files.read('mine.txt');
        expect(file).to.include({ mediaType: 'text/x-own', revision: 3 });
        expect(await blob.text()).to.equal('mine');
        // Of two manifests in one folder, one is not read.
        const beside =
          entries.filter(({ name }) => name !== 'MANIFEST.JSONL').length - backup.length;
        expect(report.skippedCount).to.equal(beside);
      });

    it('is not an export among the files of another', async () => {
      const report = await importing([note(), ...within('files/old', backup)]);
      expect(report.notes.added).to.equal(1);
      expect(report.files.added).to.equal(3);
    });

    it('is found in a short time, whatever the names are', async () => {
      const name = `a/${'notes/'.repeat(10_000)}`;
      const long = Array.from({ length: 20 }, (_, n) => ({ name: `${name}${n}` }));
      const report = await importing([...long, ...backup]);
      expect(report.skippedCount).to.equal(20);
    });
  });

  describe('whose manifest cannot be read', () => {
    const record = fileRecord('a', 1);
    const lines = new TextDecoder()
      .decode(manifest([record]).content)
      .trimEnd()
      .split('\n');
    const written = (text: string): BuiltEntry => ({
      name: 'manifest.jsonl',
      content: bytesOf(text),
    });
    const manifests: [what: string, entry: BuiltEntry, type: string][] = [
      [
        'as that of another program',
        manifest([record], [], { ...HEAD, format: 'x' }),
        'text/plain',
      ],
      ['as one piece of another program', firstManifest([record], { format: 'x' }), 'text/plain'],
      ['as it is a list', written('[1]'), ''],
      ['as its bytes are others', { ...manifest([record]), crc: 1 }, 'text/plain'],
      ['as its end is missing', written(`${lines.join('\n')}\n{"file":{"pa`), 'text/plain'],
      ['as it has a conflict', written([...lines, '<<<<<<< HEAD'].join('\n')), 'text/plain'],
      ['as one line is endless', written(`${lines.join('\n')}\n${'x'.repeat(1e6)}`), 'text/plain'],
    ];
    for (const [what, entry, type] of manifests)
      it(`gives back the notes and files, and says so, ${what}`, async () => {
        const report = await importing([good, file, entry]);
        expect(report.notes).to.deep.equal({ ...NOTHING, added: 1 });
        expect(report.files).to.deep.equal({ ...NOTHING, added: 1 });
        expect(report.skipped.map(({ name }) => name)).to.deep.equal([entry.name]);
        expect(report.skipped[0]!.reason).to.match(/damaged|exported by this app/);
        const { mediaType } = await test.store.files.get('a');
        expect(mediaType).to.equal(type || 'application/octet-stream');
      });

    it('gives back files alone, if it is one of this app', async () => {
      const cut = written(`${lines.join('\n')}\n{"file":{"pa`);
      const report = await importing([file, cut]);
      expect(report.files).to.deep.equal({ ...NOTHING, added: 1 });
      expect(report.skipped.map(({ name }) => name)).to.deep.equal(['manifest.jsonl']);
    });

    it('gives back everything where its lines are sorted', async () => {
      const report = await importing([good, file, written(lines.toReversed().join('\n'))]);
      expect(report.skippedCount).to.equal(0);
      expect((await test.store.files.get('a')).mediaType).to.equal('text/plain');
    });
  });

  describe('with a file that another program has changed', () => {
    const before = bytesOf('before');
    const after = bytesOf('after it');
    /** An archive of the file as it was exported, with the bytes that it has now. */
    const edited = async (content = after): Promise<ImportReport> => {
      const record = (await test.store.files.get('a.txt').catch(() => kept)) as StoredFile;
      kept ??= record;
      return await importing([{ name: 'files/a.txt', content }, manifest([kept])]);
    };
    let kept: StoredFile | undefined;

    beforeEach(async () => {
      kept = undefined;
      const annotations = { audience: ['user' as const], mediaType: 'text/x-own' };
      await test.store.files.write('a.txt', new Blob([before]), annotations);
    });

    const textAt = async (path: string): Promise<string> =>
      await (await test.store.files.read(path)).blob.text();

    it('replaces what was exported, once, and says so', async () => {
      const report = await edited();
      expect(report).to.deep.include({ files: { ...NOTHING, updated: 1 }, skippedCount: 0 });
      expect(report.edited).to.deep.equal(['files/a.txt']);
      expect(await textAt('a.txt')).to.equal('after it');
      const file = await test.store.files.get('a.txt');
      expect(file).to.deep.include({ revision: 2, mediaType: 'text/x-own', audience: ['user'] });
      expect((await edited()).files).to.deep.equal({ ...NOTHING, unchanged: 1 });
    });

    it('of the same size is known by its digest', async () => {
      const report = await edited(bytesOf('BEFORE'));
      expect(report.files).to.deep.equal({ ...NOTHING, updated: 1 });
      expect(await textAt('a.txt')).to.equal('BEFORE');
    });

    it('comes to an empty store with all that its record says', async () => {
      await edited(before);
      await test.store.files.delete('a.txt');
      const report = await edited();
      expect(report.files).to.deep.equal({ ...NOTHING, added: 1 });
      expect(report.edited).to.deep.equal(['files/a.txt']);
      expect(await test.store.files.get('a.txt')).to.deep.include({ mediaType: 'text/x-own' });
      expect(await textAt('a.txt')).to.equal('after it');
      await test.store.files.delete('a.txt');
      expect((await edited(bytesOf('BEFORE'))).edited).to.deep.equal(['files/a.txt']);
      expect(await textAt('a.txt')).to.equal('BEFORE');
    });

    it('becomes a copy where the store has something else by now, older or newer', async () => {
      await edited(before);
      for (const text of ['here', 'here again']) {
        await test.store.files.write('a.txt', new Blob([text]));
        const report = await edited();
        const isFirst = text === 'here';
        const outcome = isFirst ? { copied: 1 } : { unchanged: 1 };
        expect(report.files).to.deep.equal({ ...NOTHING, ...outcome });
        expect(await textAt('a.txt')).to.equal(text);
        expect(await textAt('a (imported).txt')).to.equal('after it');
      }
    });

    itInAll('is listed by name, the first thousand of them', async () => {
      const many = Array.from({ length: 1_001 }, (_, n) => `${n}`);
      const report = await importing([
        ...many.map((name) => ({ name: `files/${name}`, content: after })),
        manifest(many.map((name) => fileRecord(name, 1))),
      ]);
      expect(report.files).to.deep.equal({ ...NOTHING, added: 1_001 });
      expect(report.edited).to.have.length(1_000);
    });
  });

  describe('with a bad file', () => {
    const content = bytesOf('text');
    const at = (path: string, change: object = {}): [BuiltEntry, object] => [
      { name: `files/${path}`, content },
      { ...fileRecord(path, 4), ...change },
    ];
    const long = 'x'.repeat(MAX_PATH_BYTES + 1);
    const bad: [what: string, file: [BuiltEntry, object], reason: RegExp][] = [
      ['a path upwards', at('../a'), /path/],
      ['an absolute path', at('/a'), /path/],
      ['NUL in its path', at('a\0'), /path/],
      ['too long a path', at(long), /path/],
      ['a media type that is none', at('a', { mediaType: 'text' }), /media type/],
      ['a media type with parameters', at('a', { mediaType: 'text/html;x=1' }), /media type/],
      ['a media type in capitals', at('a', { mediaType: 'TEXT/HTML' }), /media type/],
      ['a revision of 0', at('a', { revision: 0 }), /revision/],
      ['a time that is none', at('a', { createdAt: null }), /time/],
      ['a priority that is none', at('a', { priority: 'high' }), /priority/],
      ['a digest that is none', at('a', { digest: 'x' }), /digest/],
    ];
    for (const [what, [entry, record], reason] of bad) {
      it(`of ${what} reports it, and takes the others`, async () => {
        const fine = { name: 'files/fine', content };
        const report = await importing([
          entry,
          fine,
          good,
          manifest([record, fileRecord('fine', 4)]),
        ]);
        expect(report.files).to.deep.equal({ ...NOTHING, added: 1 });
        expect(report.skippedCount).to.equal(1);
        expect(report.skipped[0]!.reason).to.match(reason);
        const { files } = await test.store.files.list();
        expect(files.map(({ path }) => path)).to.deep.equal(['fine']);
      });
    }

    it('that the manifest has and the archive has not reports it', async () => {
      const report = await importing([manifest([fileRecord('gone', 4)])]);
      expect(report.skipped).to.deep.equal([
        { name: 'files/gone', reason: 'It is missing from the archive.' },
      ]);
    });

    it('that could not be exported whole reports it', async () => {
      const unreadable = { name: 'files/a', reason: '' };
      const manifests = [
        manifest([], [{ unreadable }]),
        firstManifest([], { unreadable: [unreadable] }),
      ];
      for (const one of manifests) {
        const report = await importing([{ name: 'files/a', content }, one]);
        expect(report.skippedCount).to.equal(1);
        expect(await test.store.files.count()).to.equal(0);
      }
    });
  });

  describe('that would become very large', () => {
    const GIB = 1024 ** 3;
    const SIZE = 11 * GIB;
    // Of which nothing is inflated before the first word of progress.
    const large: BuiltEntry = {
      name: 'files/large',
      deflated: new Uint8Array(Math.ceil(SIZE / 1_000)),
      size: SIZE,
      zip64: true,
    };
    // Held: in WebKit (2.50) an object of the browser that nobody holds loses what was defined on it.
    const { storage } = navigator;
    const estimates = (freeBytes: number): void => {
      const usage = 1_000_000;
      const estimate = async (): Promise<StorageEstimate> =>
        await Promise.resolve({ usage, quota: usage + freeBytes });
      Object.defineProperty(storage, 'estimate', { value: estimate, configurable: true });
    };
    afterEach(() => Reflect.deleteProperty(storage, 'estimate'));

    it('is refused before anything is written where there is less room', async () => {
      const before = await readRecords(test.name, 'head');
      const archive = buildZip([good, large, manifest()]);
      for (const free of [SIZE - 1, 9 * GIB, 0, -5]) {
        estimates(free);
        const importing = test.store.importZip(archive, { maxBytes: Infinity });
        const error = (await failureOf(importing)) as StoreError;
        expect(error.code).to.equal('quota-exceeded');
        expect(error.message).to.include('are free');
        expect(error.quota).to.deep.equal({ usedBytes: 1_000_000, quotaBytes: 1_000_000 + free });
      }
      expect(await readRecords(test.name, 'head')).to.deep.equal(before);
      expect(test.changes).to.deep.equal([]);
    });

    it('is tried where the browser does not say how much room there is', async () => {
      const archive = buildZip([good, large, manifest()]);
      // What Chromium says of any disk that has as much.
      for (const free of [10 * GIB, 2 * SIZE]) {
        estimates(free);
        expect(await isTried(archive, Infinity)).to.equal(true);
      }
    });

    /** Whether the import begins, which is then cancelled. */
    async function isTried(archive: Blob, maxBytes?: number): Promise<boolean> {
      const controller = new AbortController();
      const reason = new Error('enough');
      const onProgress = (): void => controller.abort(reason);
      const { signal } = controller;
      const failure = await failureOf(
        test.store.importZip(archive, { onProgress, signal, maxBytes }),
      );
      if (failure !== reason) expect(failure).to.include({ code: 'too-large' });
      return failure === reason;
    }

    const sized = (size: number): BuiltEntry => ({
      name: 'files/sized',
      deflated: new Uint8Array(Math.ceil(size / 1_000)),
      size,
      zip64: true,
    });
    const MIB = 1024 ** 2;
    const noteBytes = (good.content as Uint8Array).length;

    it('is taken without a question up to a quarter of the free room', async () => {
      estimates(32 * MIB);
      for (const over of [0, 1]) {
        const archive = buildZip([good, sized(8 * MIB - noteBytes + over), manifest()]);
        expect(await isTried(archive)).to.equal(over === 0);
      }
    });

    it('is taken without a question up to 64 MiB and 20 times its size', async () => {
      estimates(10 * GIB);
      const { size } = buildZip([good, sized(100 * MIB), manifest()]);
      const limit = 64 * MIB + 20 * size;
      for (const over of [0, 1]) {
        const entry = { ...sized(100 * MIB), size: limit - noteBytes + over };
        const archive = buildZip([good, entry, manifest()]);
        expect(archive.size).to.equal(size);
        expect(await isTried(archive)).to.equal(over === 0);
      }
    });

    it('is taken up to the size that the caller permits, and else nothing is written', async () => {
      const content = new Uint8Array(4 * MIB);
      const packed = { content, deflated: await deflate(content), crc: crc32(content) };
      const many = Array.from({ length: 100 }, (_, index) => ({
        ...packed,
        name: `files/${index}`,
      }));
      const archive = buildZip([...many, good, manifest()]);
      const bytes = many.length * content.length + noteBytes;
      const error = (await failureOf(test.store.importZip(archive))) as StoreError;
      expect(error.code).to.equal('too-large');
      expect(error.message).to.match(/needs 419\.4 MB.*packed, it has 0\.4 MB/);
      expect(test.changes).to.deep.equal([]);
      expect(await isTried(archive, bytes - 1)).to.equal(false);
      expect(await isTried(archive, bytes)).to.equal(true);
      for (const maxBytes of [-1, Number.NaN, 'all' as unknown as number]) {
        const wrong = test.store.importZip(archive, { maxBytes });
        expect(await failureOf(wrong)).to.include({ code: 'invalid-argument' });
      }
    });

    it('is not read for a manifest that would become too large', async () => {
      estimates(10 * GIB);
      const one = { ...sized(200 * MIB), name: 'manifest.jsonl' };
      expect(await isTried(buildZip([good, one]))).to.equal(false);
    });
  });

  it('counts a note once that is also the copy of another', async () => {
    await importing([note({}, 'mine'), manifest()]);
    const differing = note({}, 'theirs');
    expect((await importing([differing, manifest()])).notes.copied).to.equal(1);
    const { notes } = await test.store.notes.list();
    const copyId = notes.find(({ id }) => id !== ID)!.id;
    const inItsPlace = note({ id: `"${copyId}"` }, 'in its place');
    for (const entries of [
      [differing, inItsPlace],
      [inItsPlace, differing],
    ]) {
      await test.store.notes.delete(copyId);
      await test.store.notes.delete(GOOD_ID).catch(() => undefined);
      const report = await importing([...entries, good, manifest()]);
      // The place of the copy is taken, as by a copy that the user has changed.
      expect(report.notes).to.deep.equal({ ...NOTHING, added: 2, older: 1 });
      const [head] = (await readRecords(test.name, 'head')) as { notes: number }[];
      expect(head!.notes).to.equal((await readRecords(test.name, 'notes')).length);
      expect((await test.store.notes.get(copyId)).text).to.equal('in its place');
    }
  });

  itInAll('takes many entries of one path in as many steps each, and again', async () => {
    const entries = (count: number): BuiltEntry[] =>
      Array.from({ length: count }, (_, n) => ({
        name: 'files/a.txt',
        // Of few sizes, so that sizes do not tell them apart.
        content: bytesOf(`${n}`.padStart(3 + (n % 3))),
      }));
    const counts: number[] = [];
    for (const count of [20, 60]) {
      await test.store.clear();
      const all = [...entries(count), manifest()];
      let report = await importing([manifest()]);
      counts.push(
        await countingTransactions(async () => {
          report = await importing(all);
        }, 'files'),
      );
      expect(report.files).to.deep.equal({ ...NOTHING, added: 1, copied: count - 1 });
      const paths = (await test.store.files.list()).files.map(({ path }) => path);
      expect(paths)
        .to.have.length(count)
        .and.include(`a (imported ${count - 1}).txt`);
      expect((await importing(all)).files).to.deep.equal({ ...NOTHING, unchanged: count });
      expect(await test.store.files.count()).to.equal(count);
    }
    expect(counts[1]! / counts[0]!).to.be.below(3.2);
  });

  it('refuses an entry for which no name of a copy is left, without a look at its bytes', async () => {
    const entries = Array.from({ length: 103 }, (_, n) => ({
      name: 'files/a.txt',
      content: bytesOf(n < 101 ? `${n}` : 'longer than all'),
      ...(n === 102 && { crc: 1 }),
    }));
    const report = await importing([...entries, manifest()]);
    expect(report.files).to.deep.equal({ ...NOTHING, added: 1, copied: 100 });
    expect(report.skipped.map(({ reason }) => reason)).to.deep.equal(
      Array.from(
        { length: 2 },
        () => 'Another file has this path, and no name for a copy is free.',
      ),
    );
  });

  it('counts a file once that is also the copy of another', async () => {
    await test.store.files.write('a.txt', new Blob(['mine']));
    const report = await importing([
      { name: 'files/a.txt', content: bytesOf('theirs') },
      { name: 'files/a (imported).txt', content: bytesOf('in its place') },
      manifest(),
    ]);
    expect(report.files).to.deep.equal({ ...NOTHING, copied: 2 });
    const [head] = (await readRecords(test.name, 'head')) as { files: number }[];
    expect(head!.files).to.equal((await readRecords(test.name, 'files')).length);
  });

  for (const revision of [2 ** 48, 2 ** 48 + 1, Number.MAX_SAFE_INTEGER]) {
    it(`takes revision ${revision}, and what becomes of it, again and again`, async () => {
      const file = { name: 'files/a', content: bytesOf('text') };
      const record = { ...fileRecord('a', 4), revision };
      const first = await importing([note({ revision: `${revision}` }), file, manifest([record])]);
      expect(first.skipped).to.deep.equal([]);
      const before = (await test.store.notes.get(ID)).revision;
      for (const text of ['once', 'twice']) {
        const updated = await test.store.notes.update(ID, { text });
        await test.store.files.write('a', new Blob([text]));
        expect(updated.revision).to.be.greaterThan(before);
        const archive = await new Response(test.store.exportZip()).blob();
        expect((await test.store.importZip(archive)).skipped).to.deep.equal([]);
        expect((await test.store.notes.get(ID)).text).to.equal(text);
        await test.store.clear();
        expect((await test.store.importZip(archive)).skipped).to.deep.equal([]);
        expect((await test.store.notes.get(ID)).text).to.equal(text);
        expect(await (await test.store.files.read('a')).blob.text()).to.equal(text);
      }
    });
  }

  itInAll('reads a manifest that is longer than any in one piece may be', async () => {
    // Few records, with long paths: it is the bytes that count.
    const folders = 'folder/'.repeat(Math.floor(MAX_PATH_BYTES / 7) - 1);
    const gone = Array.from({ length: 95_000 }, (_, index) =>
      JSON.stringify({ ...fileRecord(`${folders}${index}`, 4), revision: 7 }),
    );
    const kept = JSON.stringify({ ...fileRecord('a', 4), revision: 8 });
    const lines = [...gone, kept].map((file) => `{"file":${file}}`);
    const content = bytesOf([JSON.stringify(HEAD), ...lines].join('\n'));
    expect(content.length).to.be.greaterThan(64 * 1024 * 1024);
    const report = await importing([
      { name: 'files/a', content: bytesOf('text') },
      { name: 'manifest.jsonl', content },
    ]);
    expect(report.files.added).to.equal(1);
    expect(report.skippedCount).to.equal(gone.length);
    expect((await test.store.files.get('a')).revision).to.equal(8);
  });

  it('reports the bytes of a large file while they come in', async () => {
    const content = new Uint8Array(10 * 1024 * 1024);
    const text = noteText();
    const progress: [done: number, total: number][] = [];
    const entries: BuiltEntry[] = [
      { name: 'notes/a.md', content: bytesOf(text) },
      { name: 'files/large', content },
      { name: 'files/wrong', content: bytesOf('text'), crc: 1 },
      manifest(),
    ];
    const onProgress = (done: number, total: number): number => progress.push([done, total]);
    await test.store.importZip(buildZip(entries), { onProgress });
    const bytes = text.length + content.length + 4;
    expect(new Set(progress.map(([, total]) => total))).to.deep.equal(new Set([bytes]));
    const done = progress.map(([count]) => count);
    expect(done).to.deep.equal(done.toSorted((a, b) => a - b));
    expect([done[0], done.at(-1)]).to.deep.equal([0, bytes]);
    expect(new Set(done).size).to.be.greaterThan(10);
    // Some of them while it is read, and some while it is written.
    const half = text.length + content.length / 2;
    expect(done.some((count) => count > text.length && count < half)).to.equal(true);
    expect(done.some((count) => count > half && count < text.length + content.length)).to.equal(
      true,
    );
  });

  it('takes nothing from a prototype, and gives nothing to one', async () => {
    const record = `{"__proto__":${JSON.stringify(fileRecord('a', 4))},"path":"a"}`;
    const proto = JSON.stringify(fileRecord('__proto__', 4));
    const lines = [
      JSON.stringify(HEAD),
      `{"file":${record}}`,
      `{"file":${proto}}`,
      '{"__proto__":{"polluted":1,"file":{"path":"a"}}}',
    ];
    const report = await importing([
      { name: 'files/a', content: bytesOf('text') },
      { name: 'files/__proto__', content: bytesOf('text') },
      note({ ['__proto__']: '{"polluted":1}', tags: '["__proto__"]' }),
      { name: 'manifest.jsonl', content: bytesOf(lines.join('\n')) },
    ]);
    expect(report.files).to.deep.equal({ ...NOTHING, added: 1 });
    expect(report.notes).to.deep.equal({ ...NOTHING, added: 1 });
    expect((await test.store.files.get('__proto__')).revision).to.equal(3);
    expect('polluted' in {}).to.equal(false);
  });

  it('reports what is neither a note nor a file, and passes over folders', async () => {
    const report = await importing([
      { name: 'notes/' },
      { name: '__MACOSX/._x', content: bytesOf('x') },
      good,
      manifest(),
    ]);
    expect(report.skipped.map(({ name }) => name)).to.deep.equal(['__MACOSX/._x']);
  });

  it('takes the same id twice as two revisions of one note', async () => {
    const report = await importing([
      note({ revision: '2' }, 'two'),
      note({ revision: '4' }, 'four'),
      note({ revision: '3' }, 'three'),
      manifest(),
    ]);
    expect(report.notes).to.deep.equal({ ...NOTHING, added: 1, updated: 1, older: 1 });
    expect((await test.store.notes.get(ID)).text).to.equal('four');
  });

  it('takes notes that an editor of Windows has saved, with its mark and line ends', async () => {
    const content = bytesOf(`\ufeff${noteText({}, '# One\n\nTwo').replaceAll('\n', '\r\n')}`);
    await importing([{ name: 'notes/a.md', content }, manifest()]);
    const taken = await test.store.notes.get(ID);
    expect(taken).to.include({ text: '# One\r\n\r\nTwo', revision: 3, firstLine: 'One' });
    expect(taken.createdAt).to.equal(Date.parse(TIME));
  });

  it('takes any Markdown file for a new note, named as the file, once', async () => {
    const theirs = '---\ntitle: Of another program\nid: 7\n---\ntext';
    const entries: BuiltEntry[] = [
      { name: 'notes/My own.md', content: bytesOf('# Hello\r\n') },
      { name: 'notes/folder/Other.MD', content: bytesOf(theirs) },
      manifest(),
    ];
    expect((await importing(entries)).notes).to.deep.equal({ ...NOTHING, added: 2 });
    const { notes } = await test.store.notes.list();
    const byTitle = new Map(notes.map((one) => [one.title, one]));
    expect([...byTitle.keys()].toSorted()).to.deep.equal(['My own', 'Other']);
    const own = byTitle.get('My own')!;
    expect(own).to.include({ revision: 1, firstLine: 'Hello', size: 9 });
    expect((await test.store.notes.get(byTitle.get('Other')!.id)).text).to.equal(theirs);
    expect((await importing(entries)).notes).to.deep.equal({ ...NOTHING, unchanged: 2 });
    await test.store.notes.update(own.id, { text: 'mine' });
    expect((await importing(entries)).notes).to.deep.equal({ ...NOTHING, older: 1, unchanged: 1 });
    expect(await test.store.notes.count()).to.equal(2);
  });

  it('takes a file that the manifest does not know, and keeps one that is there', async () => {
    const entries = [{ name: 'files/pages/a.html', content: bytesOf('<p>one') }, manifest()];
    expect((await importing(entries)).files).to.deep.equal({ ...NOTHING, added: 1 });
    expect((await importing(entries)).files).to.deep.equal({ ...NOTHING, unchanged: 1 });
    const { file, blob } = await test.store.files.read('pages/a.html');
    expect(file).to.include({ mediaType: 'text/html', revision: 1, size: 6 });
    expect(await blob.text()).to.equal('<p>one');
    await test.store.files.write('pages/a.html', new Blob(['<p>two']));
    expect((await importing(entries)).files).to.deep.equal({ ...NOTHING, copied: 1 });
    expect((await importing(entries)).files).to.deep.equal({ ...NOTHING, unchanged: 1 });
    const { files } = await test.store.files.list();
    expect(files.map(({ path }) => path)).to.deep.equal([
      'pages/a (imported).html',
      'pages/a.html',
    ]);
  });

  it('takes what another program has packed anew, deflated', async () => {
    const { id } = await test.store.notes.create({ title: 'a', text: 'text '.repeat(1_000) });
    await test.store.files.write('b.txt', new Blob(['bytes '.repeat(1_000)]));
    const before = await Promise.all(
      ['notes', 'note-texts', 'files'].map((store) => readRecords(test.name, store)),
    );
    const archive = await new Response(test.store.exportZip()).blob();
    const entries: BuiltEntry[] = [];
    for (const [name, blob] of await openArchive(archive)) {
      const content = new Uint8Array(await blob.arrayBuffer());
      entries.unshift({ name, content, deflated: await deflate(content) });
    }
    const packed = buildZip(entries);
    expect(packed.size).to.be.lessThan(archive.size / 2);
    await test.store.notes.delete(id);
    await test.store.files.delete('b.txt');
    const report = await test.store.importZip(packed);
    expect(report.skipped).to.deep.equal([]);
    const after = await Promise.all(
      ['notes', 'note-texts', 'files'].map((store) => readRecords(test.name, store)),
    );
    expect(after).to.deep.equal(before);
    const { blob } = await test.store.files.read('b.txt');
    expect(await blob.text()).to.equal('bytes '.repeat(1_000));
    expect((after[2] as StoredFile[])[0]!.digest).to.match(/^[0-9a-f]{64}$/);
  });
});

/** The directory of an archive and its end, as if it began elsewhere. */
function tailOf(archive: Blob, entries: number, offset: number): Blob {
  const size = 46 + 'manifest.jsonl'.length + namesOf(entries);
  const end = new DataView(new ArrayBuffer(22));
  end.setUint32(0, 0x06_05_4b_50, true);
  end.setUint32(12, size, true);
  end.setUint32(16, offset, true);
  return new Blob([archive.slice(archive.size - 22 - size, archive.size - 22), end]);
}

function namesOf(entries: number): number {
  return Array.from({ length: entries }, (_, index) => 46 + `files/${index}`.length).reduce(
    (sum, length) => sum + length,
    0,
  );
}
