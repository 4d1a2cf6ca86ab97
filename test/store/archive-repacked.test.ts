import { expect } from '@esm-bundle/chai';
import type { ImportReport } from '@inpage-mcp/store';
import { readRecords } from '../support/database.js';
import { openArchive } from './archive-under-test.js';
import { useStore } from './store-under-test.js';
import { type BuiltEntry, buildZip, bytesOf, deflate, unicodePath } from './zip-builder.js';

/** The letters that are used here, as Windows has them in western Europe (code page 850). */
const CP850: { [letter: string]: number } = { ä: 0x84, ö: 0x94, ü: 0x81, ß: 0xe1, Ü: 0x9a };
const inCp850 = (name: string): Uint8Array =>
  Uint8Array.from(name, (letter) => CP850[letter] ?? letter.codePointAt(0)!);

const LINK = 0o120_777 * 2 ** 16;

describe('an archive that another program has packed again', () => {
  const test = useStore();
  let before: unknown[];
  let entries: BuiltEntry[];

  const records = (): Promise<unknown[]> =>
    Promise.all(['notes', 'note-texts', 'files'].map((store) => readRecords(test.name, store)));

  beforeEach(async () => {
    const { notes, files } = test.store;
    await notes.create({ title: 'Grüße', text: 'text' });
    await files.write('Überblick/größe.txt', new Blob(['one']), { mediaType: 'image/png' });
    await files.write('Überblick/ä.txt', new Blob(['two']));
    await files.write('ö.txt', new Blob(['333']));
    before = await records();
    const archive = await new Response(test.store.exportZip()).blob();
    entries = [];
    for (const [name, blob] of await openArchive(archive)) {
      entries.push({ name, content: new Uint8Array(await blob.arrayBuffer()) });
    }
    await test.store.clear();
  });

  const renamed = (change: (name: string) => Partial<BuiltEntry>): BuiltEntry[] =>
    entries.map((entry) => ({ ...entry, ...change(entry.name as string) }));
  const comesBack = async (zip: Blob, skipped: readonly string[] = []): Promise<void> => {
    const report = await test.store.importZip(zip);
    expect(report.skipped.map(({ name }) => name)).to.deep.equal(skipped);
    expect(await records()).to.deep.equal(before);
  };

  const ways: [way: string, pack: () => BuiltEntry[], skipped?: string[]][] = [
    [
      'in a folder',
      () => [{ name: 'export/' }, ...renamed((name) => ({ name: `export/${name}` }))],
    ],
    ['in folders', () => renamed((name) => ({ name: `home/ada/${name}` }))],
    ['with a dot before each name', () => renamed((name) => ({ name: `./${name}` }))],
    [
      'by macOS, in a folder',
      () => [
        ...renamed((name) => ({ name: `export/${name}`.normalize('NFD'), flags: 8, system: 3 })),
        { name: 'export/.DS_Store', content: bytesOf('x') },
        { name: 'export/files/.DS_Store', content: bytesOf('x') },
        { name: '__MACOSX/' },
        { name: '__MACOSX/export/._manifest.jsonl', content: bytesOf('x') },
        { name: 'export/notes/._a.md', content: bytesOf('x') },
      ],
      ['.DS_Store', 'files/.DS_Store', '__MACOSX/export/._manifest.jsonl', 'notes/._a.md'],
    ],
    [
      'by Windows PowerShell, with backslashes',
      () => renamed((name) => ({ name: `export\\${name.replaceAll('/', '\\')}` })),
    ],
    [
      'by Windows, with its own files beside them',
      () => [
        ...renamed((name) => ({ name: `export/${name}` })),
        { name: 'Thumbs.db', content: bytesOf('x') },
        { name: 'export/files/desktop.ini', content: bytesOf('x') },
      ],
      ['Thumbs.db', 'files/desktop.ini'],
    ],
    ['with names without a mark for UTF-8', () => renamed((name) => ({ name, flags: 0 }))],
    ['with names in NFD', () => renamed((name) => ({ name: name.normalize('NFD') }))],
    [
      'with names of the code page beside those in UTF-8',
      () =>
        renamed((name) => ({
          name: inCp850(name),
          flags: 0,
          extra: unicodePath(name, inCp850(name)),
        })),
    ],
    [
      'with names of the code page alone',
      () => renamed((name) => ({ name: inCp850(name), flags: 0 })),
    ],
    [
      'with links, and what systems put into folders',
      () => [
        { name: 'files/link', content: bytesOf('/etc/passwd'), system: 3, attributes: LINK },
        { name: 'files/point', attributes: 0x4_20 },
        { name: 'files/Thumbs.db', content: bytesOf('x') },
        { name: 'files/desktop.ini', content: bytesOf('x') },
        ...entries,
      ],
      ['files/link', 'files/point', 'files/Thumbs.db', 'files/desktop.ini'],
    ],
  ];
  for (const [way, pack, skipped] of ways) {
    it(`${way} brings back everything`, async () => {
      await comesBack(buildZip(pack()), skipped);
    });
  }

  for (const program of ['zip', '7-zip', 'python', 'libarchive']) {
    // Packed on Linux, a folder around everything.
    it(`by ${program} brings back everything`, async () => {
      const url = new URL(`../fixtures/archives/packed-by-${program}.zip`, import.meta.url);
      const report = await test.store.importZip(await (await fetch(url)).blob());
      expect(report.skipped).to.deep.equal([]);
      expect([report.notes.added, report.files.added]).to.deep.equal([1, 3]);
      const { file, blob } = await test.store.files.read('Ünïcode/Größe.txt');
      expect(file).to.include({ mediaType: 'image/png', revision: 7 });
      expect(await blob.text()).to.equal('one');
    });
  }

  it('and put behind other bytes brings back everything', async () => {
    const prefix = '#!/bin/sh\n'.repeat(1_000);
    await comesBack(buildZip(entries, { prefix }));
    await test.store.clear();
    await comesBack(
      buildZip(
        renamed(() => ({ zip64: true })),
        { prefix, zip64: true },
      ),
    );
  });

  it('and deflated brings back what repeats itself', async () => {
    const content = new Uint8Array(8 * 1024 * 1024);
    const report = await test.store.importZip(
      buildZip([...entries, { name: 'files/zeros', content, deflated: await deflate(content) }]),
    );
    expect(report.skipped).to.deep.equal([]);
    expect((await test.store.files.get('zeros')).size).to.equal(content.length);
  });

  it('keeps names that differ in their Unicode form only', async () => {
    const names = ['é.txt', 'é.txt'.normalize('NFD')];
    for (const name of names) await test.store.files.write(name, new Blob([name]));
    before = await records();
    const archive = await new Response(test.store.exportZip()).blob();
    await test.store.clear();
    await comesBack(archive);
  });

  it('takes no file for another because of its size, and names what is missing', async () => {
    const { length } = entries;
    const changed = renamed((name) => ({ name: inCp850(name), flags: 0 }));
    changed[length - 2] = { ...changed[length - 2]!, content: bytesOf('new') };
    const report = await test.store.importZip(buildZip(changed));
    expect(report.files.added).to.equal(2);
    expect(report.skipped.map(({ name, reason }) => `${name}: ${reason}`)).to.deep.equal([
      'files/\ufffd.txt: Its name is not in UTF-8.',
      'files/ö.txt: It is missing from the archive.',
    ]);
  });

  it('takes the name in UTF-8 beside one of the code page, of a file that no manifest knows', async () => {
    const [name, other] = ['files/Größe.txt', inCp850('files/Größe.txt')];
    const named = { name: other, content: bytesOf('x'), flags: 0, extra: unicodePath(name, other) };
    const report = await test.store.importZip(buildZip([...entries, named]));
    expect(report.skipped).to.deep.equal([]);
    expect(await (await test.store.files.read('Größe.txt')).blob.text()).to.equal('x');
  });

  it('keeps a backslash that separates nothing', async () => {
    const content = bytesOf('x');
    const named = [
      { name: 'files/a\\b.txt', content },
      { name: 'files\\c.txt', content, system: 3 },
    ];
    const report = await test.store.importZip(buildZip([...entries, ...named]));
    expect((await test.store.files.get('a\\b.txt')).size).to.equal(1);
    expect(report.skipped.map(({ name }) => name)).to.deep.equal(['files\\c.txt']);
  });

  it('believes no name in UTF-8 that belongs to another name', async () => {
    const extra = unicodePath('files/b.txt', bytesOf('files/c.txt'));
    const named = { name: 'files/a.txt', content: bytesOf('x'), flags: 0, extra };
    const report = await test.store.importZip(buildZip([...entries, named]));
    expect(report.skipped).to.deep.equal([]);
    expect((await test.store.files.list()).files.map(({ path }) => path)).to.include('a.txt');
  });

  it('is known in its folder where others are beside it, which are named', async () => {
    const inFolder = renamed((name) => ({ name: `export/${name}` }));
    const reason = 'It is beside the export that was imported.';
    for (const name of ['other/a.txt', 'a.txt']) {
      const report = await test.store.importZip(
        buildZip([...inFolder, { name, content: bytesOf('x') }]),
      );
      expect(report.skipped).to.deep.equal([{ name, reason }]);
    }
    expect(await test.store.notes.count()).to.be.above(0);
  });

  it('keeps a file of the user that is named like one of the system', async () => {
    await test.store.files.write('backup/.DS_Store', new Blob(['mine']));
    const archive = await new Response(test.store.exportZip()).blob();
    await test.store.clear();
    const report: ImportReport = await test.store.importZip(archive);
    expect(report.skipped).to.deep.equal([]);
    expect(report.files.added).to.equal(1);
  });
});

describe('the names in an archive', () => {
  const test = useStore();
  const LONG = `${'ü'.repeat(140)}.txt`;
  const PATHS = [
    'a:b.txt',
    'a_b.txt',
    'con.txt',
    'folder/COM1',
    'folder/lpt¹.tar.gz',
    'nul .txt',
    'conin$',
    'CONOUT$.log',
    'dot.',
    'space ',
    'dots.../in a folder',
    'x<>"|?*\\\u0001\u007f',
    'file',
    'file/below',
    'FILE',
    'Folder/one',
    'folder/two',
    'é.txt',
    'é.txt'.normalize('NFD'),
    LONG,
    `${LONG}x`,
    'console.txt',
    'Überblick/größe.txt',
  ];

  it('can be unpacked everywhere, each by itself, and the files come back with their own', async () => {
    for (const path of PATHS) await test.store.files.write(path, new Blob([path]));
    const before = await readRecords(test.name, 'files');
    const archive = await new Response(test.store.exportZip()).blob();
    const names = [...(await openArchive(archive)).keys()].filter((name) =>
      name.startsWith('files/'),
    );
    expect(names).to.have.length(PATHS.length);
    expect(names).to.include.members(['files/console.txt', 'files/Überblick/größe.txt']);
    for (const part of names.flatMap((name) => name.split('/'))) {
      expect(part).not.to.match(/[<>:"|?*\\\0-\u001f\u007f]|[. ]$/);
      expect(part).not.to.match(
        /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\.|$)/i,
      );
      expect(bytesOf(part).length).to.be.at.most(255);
    }
    // On a disk that takes names for the same that differ in case or form.
    const fold = (name: string): string => name.normalize('NFC').toUpperCase();
    expect(new Set(names.map(fold)).size).to.equal(names.length);
    const folders = names.flatMap((name) =>
      [...name.matchAll(/\//g)].map(({ index }) => name.slice(0, index)),
    );
    expect(new Set(folders).size).to.equal(new Set(folders.map(fold)).size);
    for (const folder of folders) expect(names.map(fold)).not.to.include(fold(folder));
    await test.store.clear();
    expect((await test.store.importZip(archive)).skipped).to.deep.equal([]);
    expect(await readRecords(test.name, 'files')).to.deep.equal(before);
  });
});
