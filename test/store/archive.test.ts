import { expect } from '@esm-bundle/chai';
import {
  type Audience,
  type ImportReport,
  MAX_PATH_BYTES,
  MAX_TITLE_LENGTH,
  type NoteSummary,
  openStore,
  type Store,
  type StoredFile,
} from '@inpage-mcp/store';
import { readRecords } from '../support/database.js';
import { failureOf } from '../support/failure.js';
import { sizeOf } from '../support/test-size.js';
import { PIECE } from './marked-blob.js';
import { codeOf, useStore } from './store-under-test.js';
import { openArchive, storeWith } from './archive-under-test.js';
// Internal to the package: what an archive says about its entries.
import { entriesOf } from '../../packages/store/src/archive/read-zip.js';
import { openZip } from '../../packages/store/src/archive/read-zip-entries.js';
import { randomNumbers } from '../support/random.js';

/** More than are reported one by one. */
const NOTES = sizeOf({ ci: 600, soak: 5_000 });

describe('an archive of everything', () => {
  const test = useStore();
  const other = useStore();

  const exported = (store = test.store): Promise<Blob> => new Response(store.exportZip()).blob();
  const NOTHING = { added: 0, updated: 0, unchanged: 0, older: 0, copied: 0 };

  /** All that a store holds, as it is on disk: as JSON, since a difference of objects takes long. */
  const contentOf = async ({ name, store }: { name: string; store: Store }): Promise<string> => {
    const [notes, texts, files] = await Promise.all(
      ['notes', 'note-texts', 'files'].map((records) => readRecords(name, records)),
    );
    const bytes = await Promise.all(
      (files as StoredFile[]).map(async ({ path }) => {
        const { blob } = await store.files.read(path);
        return [path, blob.type, [...new Uint8Array(await blob.arrayBuffer())].join()];
      }),
    );
    return JSON.stringify({ notes, texts, files, bytes }, sorted);
  };

  it('brings back an empty store', async () => {
    const report = await other.store.importZip(await exported());
    expect(report).to.deep.equal({
      notes: NOTHING,
      files: NOTHING,
      edited: [],
      skipped: [],
      skippedCount: 0,
    });
    expect(other.changes).to.deep.equal([]);
  });

  it('has every text as it is, and the rest of a note before it', async () => {
    const { id } = await test.store.notes.create({
      title: 'Ein Titel: "quoted" / \\ 題\n\u2028\u0085',
      text: '---\r\nno: front matter\r\n---\r\n\r\n# Text\r\nno newline at the end',
      tags: ['a, b', '---', '__proto__'],
      audience: ['user'],
      priority: 0.25,
    });
    const entries = await openArchive(await exported());
    const name = `notes/Ein-Titel-quoted-題-${id}.md`;
    expect([...entries.keys()]).to.deep.equal([name, 'manifest.jsonl']);
    const created = new Date((await test.store.notes.get(id)).createdAt).toISOString();
    expect(await entries.get(name)!.text()).to.equal(
      [
        '---',
        `id: "${id}"`,
        'title: "Ein Titel: \\"quoted\\" / \\\\ 題\\n\\u2028\\u0085"',
        'tags: ["a, b","---","__proto__"]',
        `created: "${created}"`,
        `updated: "${created}"`,
        'revision: 1',
        'audience: ["user"]',
        'priority: 0.25',
        '---',
        '---\r\nno: front matter\r\n---\r\n\r\n# Text\r\nno newline at the end',
      ].join('\n'),
    );
  });

  it('has every file as it is, and what is known of it in the manifest', async () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 7) % 256);
    await test.store.files.write('a/ü.bin', new Blob([bytes]), { mediaType: 'image/png' });
    const file = await test.store.files.write('a/ü.bin', new Blob([bytes]), { priority: 1 });
    const entries = await openArchive(await exported());
    const kept = new Uint8Array(await entries.get('files/a/ü.bin')!.arrayBuffer());
    expect(kept.join()).to.equal(bytes.join());
    const [head, ...others] = await manifestOf(entries);
    const { exportedAt } = head as { exportedAt: string };
    expect(Date.parse(exportedAt)).to.be.closeTo(Date.now(), 60_000);
    expect(head).to.deep.equal({
      format: 'inpage-mcp archive',
      version: 2,
      exportedAt,
      counts: { notes: 0, files: 1 },
    });
    expect(others).to.deep.equal([{ file }]);
  });

  const texts: [what: string, text: string][] = [
    ['nothing', ''],
    ['one newline', '\n'],
    ['line ends of all kinds', 'a\r\nb\rc\n\u2028d\u0085'],
    ['a byte order mark', '\ufefftext'],
    ['a fence', '---'],
    ['fences', '---\n---\n---\n'],
    ['front matter like ours', '---\nid: "01ARZ3NDEKTSV4RRFFQ69G5FAV"\nrevision: 7\n---\ntext'],
    ['NUL and other controls', 'a\0b\u0007\u001b\u007f\u009f'],
    ['half a surrogate pair', 'a\ud800b'],
    ['the other half', '\udc00'],
    ['pairs in the wrong order, and right ones', '\udc00\ud800 \u{1f600}\n---\n'],
    ['noncharacters', '\ufffe\uffff\ufffd'],
    ['no composed characters', 'e\u0301 \u00e9'],
  ];
  for (const [what, text] of texts) {
    it(`brings back a text of ${what}`, async () => {
      await test.store.notes.create({ title: text.slice(0, 50), text, tags: [text.slice(0, 50)] });
      const report = await other.store.importZip(await exported());
      expect(report.notes).to.deep.equal({ ...NOTHING, added: 1 });
      expect(await contentOf(other)).to.equal(await contentOf(test));
    });
  }

  it('brings back exactly what there was, whatever it is', async () => {
    const random = randomNumbers(20_251_121);
    await storeWith(test, oddNotes(random, 150), oddFiles(random, 40));
    const before = await contentOf(test);
    const archive = await exported();
    const report = await other.store.importZip(archive);
    expect(report).to.deep.equal({
      notes: { ...NOTHING, added: 150 },
      files: { ...NOTHING, added: 40 },
      edited: [],
      skipped: [],
      skippedCount: 0,
    });
    expect(await contentOf(other)).to.equal(before);
    const [head] = await readRecords(other.name, 'head');
    expect(head).to.include({ notes: 150, files: 40 });
    // And once more through the archive of the copy.
    const again = await other.store.importZip(await exported(other.store));
    expect(again.notes).to.deep.equal({ ...NOTHING, unchanged: 150 });
    expect(again.files).to.deep.equal({ ...NOTHING, unchanged: 40 });
  });

  it('brings back nothing twice, and notifies nobody of nothing', async () => {
    const random = randomNumbers(1);
    await storeWith(test, oddNotes(random, 20), oddFiles(random, 5));
    const archive = await exported();
    await other.store.importZip(archive);
    const stored = await contentOf(other);
    const head = await readRecords(other.name, 'head');
    const changeCount = other.changes.length;
    const report = await other.store.importZip(archive);
    expect(report.notes).to.deep.equal({ ...NOTHING, unchanged: 20 });
    expect(report.files).to.deep.equal({ ...NOTHING, unchanged: 5 });
    expect(await contentOf(other)).to.equal(stored);
    expect(await readRecords(other.name, 'head')).to.deep.equal(head);
    expect(other.changes).to.have.length(changeCount);
  });

  it(`brings in ${NOTES} notes, reported in this tab and in others`, async () => {
    const random = randomNumbers(2);
    await storeWith(test, oddNotes(random, NOTES, 300), []);
    const tab = await other.openTab();
    const known = new Set<string>();
    let reading = Promise.resolve();
    tab.changes.listen((changes) => {
      for (const { key } of changes) known.add(key);
      // The log does not hold more than 100 changes of a transaction.
      if (!known.delete('')) return;
      reading = reading.then(async () => {
        for await (const notes of tab.notes.summaries()) for (const { id } of notes) known.add(id);
      });
    });
    const progress: [number, number][] = [];
    const archive = await exported();
    const report = await other.store.importZip(archive, {
      onProgress: (done, total) => progress.push([done, total]),
    });
    const sizes: number[] = [];
    // Their contents are not read: opening them takes as long as bringing them in.
    const zip = await openZip(archive);
    for await (const { size } of entriesOf(zip.bytes, zip.directory)) sizes.push(size);
    const bytes = sizes.slice(0, -1).reduce((sum, size) => sum + size, 0);
    expect(report.notes.added).to.equal(NOTES);
    expect(await other.store.notes.count()).to.equal(NOTES);
    expect(other.changes).to.have.length(NOTES);
    await tab.changes.catchUp();
    await reading;
    expect(known.size).to.equal(NOTES);
    expect(progress.every(([, total]) => total === bytes)).to.equal(true);
    const done = progress.map(([value]) => value);
    expect(done).to.deep.equal(done.toSorted((a, b) => a - b));
    // Three hundred at a time.
    expect(done.length).to.be.at.least(NOTES / 300 + 1);
    expect([done[0], done.at(-1)]).to.deep.equal([0, bytes]);
  });

  describe('while it is made', () => {
    /** As long as it takes to read on, for a reader that began before this without being asked. */
    const timeToReadOn = exported;

    it('is read no further than it is asked for', async () => {
      await storeWith(test, oddNotes(randomNumbers(3), 500, 2_000), []);
      const progress: [number, number][] = [];
      const stream = test.store.exportZip({
        onProgress: (done, total) => progress.push([done, total]),
      });
      await timeToReadOn();
      expect(progress).to.deep.equal([]);
      const reader = stream.getReader();
      const { value } = await reader.read();
      expect(value!.length).to.be.greaterThan(10_000);
      await timeToReadOn();
      expect(progress.at(-1)![0]).to.be.lessThan(600);
      // timed: reads to the end of a stream that is at hand.
      while (!(await reader.read()).done);
      const done = progress.map(([count]) => count);
      expect(done).to.deep.equal(done.toSorted((a, b) => a - b));
      expect(progress.at(-1)).to.deep.equal([500, 500]);
    });

    it('reads no more of a large file than is asked for', async () => {
      const bytes = new Uint8Array(8 * 1024 * 1024);
      await test.store.files.write('large', new Blob([bytes]));
      let done = 0;
      const reader = test.store.exportZip({ onProgress: (count) => (done = count) }).getReader();
      const { value } = await reader.read();
      expect(value!.length).to.be.lessThan(4 * 1024 * 1024);
      await timeToReadOn();
      expect(done).to.equal(0);
      await reader.cancel();
    });

    it('takes in what comes, and leaves out what goes, each whole', async () => {
      const { notes, files } = test.store;
      const ids: string[] = [];
      for (let index = 0; index < 3; index++) {
        // Two of them are read at once, and the third later.
        const { id } = await notes.create({ title: `${index}`, text: 'x'.repeat(1_500_000) });
        ids.push(id);
      }
      await files.write('a', new Blob(['a']));
      await files.write('b', new Blob(['b']));
      const reader = test.store.exportZip().getReader();
      const chunks = [(await reader.read()).value!];
      await notes.delete(ids[2]!);
      const late = await notes.create({ title: 'late', text: 'late' });
      await files.delete('a');
      await files.write('b', new Blob(['other']));
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        chunks.push(next.value);
      }
      const report = await other.store.importZip(new Blob(chunks));
      expect(report.notes.added).to.equal(3);
      expect(report.files.added).to.equal(1);
      expect(report.skipped).to.deep.equal([]);
      expect((await other.store.notes.get(late.id)).text).to.equal('late');
      expect(await (await other.store.files.read('b')).blob.text()).to.equal('other');
    });

    it('ends when its stream is cancelled, and with its signal', async () => {
      await storeWith(test, oddNotes(randomNumbers(4), 250, 2_000), []);
      const reader = test.store.exportZip().getReader();
      await reader.read();
      await reader.cancel(new Error('enough'));
      expect((await reader.read()).done).to.equal(true);

      const reason = new Error('enough');
      const controller = new AbortController();
      const stopped = test.store.exportZip({ signal: controller.signal }).getReader();
      await stopped.read();
      controller.abort(reason);
      expect(await failureOf(stopped.read())).to.equal(reason);
      const never = test.store.exportZip({ signal: AbortSignal.abort(reason) });
      expect(await failureOf(never.getReader().read())).to.equal(reason);
      const slow = new AbortController();
      const reading = test.store.exportZip({ signal: slow.signal }).getReader();
      const read = failureOf(reading.read());
      slow.abort(reason);
      expect(await read).to.equal(reason);
    });

    it('names what cannot be read, and has the rest', async () => {
      const random = randomNumbers(5);
      const notes = oddNotes(random, 30);
      const [noText, noRecord] = [notes[3]!.summary.id, notes[17]!.summary.id];
      // The next one, and the last one.
      const others = [notes[4]!.summary.id, notes[29]!.summary.id];
      await storeWith(test, notes, oddFiles(random, 3), (transaction, files) => {
        for (const id of [noText, ...others]) transaction.objectStore('note-texts').delete(id);
        transaction.objectStore('notes').put({ id: noRecord });
        transaction.objectStore('file-bytes').delete(files[1]!.path);
      });
      const archive = await exported();
      const [head, ...lines] = (await manifestOf(await openArchive(archive))) as {
        counts?: object;
        unreadable?: { name: string };
      }[];
      const unreadable = lines.flatMap((line) => line.unreadable?.name ?? []);
      const [, lost] = (await readRecords(test.name, 'files')) as StoredFile[];
      expect(unreadable).to.have.members([noText, noRecord, ...others, `files/${lost!.path}`]);
      expect(head!.counts).to.deep.equal({ notes: 26, files: 2 });
      const report = await other.store.importZip(archive);
      expect([report.notes.added, report.files.added]).to.deep.equal([26, 2]);
    });

    it('is refused at once where there is more than could be brought in', async () => {
      await storeWith(test, [], [], (transaction) => {
        const heads = transaction.objectStore('head');
        const reading = heads.get('head');
        reading.onsuccess = () => {
          heads.put({ ...(reading.result as object), notes: 600_000, files: 400_000 }, 'head');
        };
      });
      expect(await codeOf(test.store.exportZip().getReader().read())).to.equal('invalid-argument');
    });

    it('fails as the store does when that is closed', async () => {
      const store = await openStore(test.name);
      const stream = store.exportZip();
      store.close();
      expect(await codeOf(stream.getReader().read())).to.equal('closed');
    });
  });

  describe('merges', () => {
    const importInto = async (): Promise<ImportReport> =>
      await other.store.importZip(await exported());
    /** The same note in both stores, and what both say since. */
    const bothHave = async (): Promise<string> => {
      const { id } = await test.store.notes.create({ title: 'title', text: 'text', tags: ['tag'] });
      await test.store.files.write('f/a.txt', new Blob(['text']));
      await importInto();
      return id;
    };
    const titles = async (): Promise<string[]> =>
      (await other.store.notes.list()).notes.map(({ title }) => title).toSorted();

    it('a higher revision over a lower one', async () => {
      const id = await bothHave();
      await test.store.notes.update(id, { text: 'newer', title: 'new' });
      await test.store.files.write('f/a.txt', new Blob(['newer']));
      const report = await importInto();
      expect(report.notes).to.deep.equal({ ...NOTHING, updated: 1 });
      expect(report.files).to.deep.equal({ ...NOTHING, updated: 1 });
      expect(await contentOf(other)).to.equal(await contentOf(test));
      expect(other.changes.slice(-2)).to.deep.equal([
        { kind: 'note', key: id, type: 'updated', listingChanged: true },
        { kind: 'file', key: 'f/a.txt', type: 'updated', listingChanged: false },
      ]);
    });

    it('nothing of a lower revision', async () => {
      const id = await bothHave();
      await other.store.notes.update(id, { text: 'newer' });
      await other.store.files.write('f/a.txt', new Blob(['newer']));
      const report = await importInto();
      expect(report.notes).to.deep.equal({ ...NOTHING, older: 1 });
      expect(report.files).to.deep.equal({ ...NOTHING, older: 1 });
      expect((await other.store.notes.get(id)).text).to.equal('newer');
      expect(await (await other.store.files.read('f/a.txt')).blob.text()).to.equal('newer');
    });

    it('what says the same at another time as unchanged', async () => {
      const id = await bothHave();
      await test.store.notes.update(id, { priority: 1 });
      await other.store.notes.update(id, { priority: 1 });
      expect((await importInto()).notes).to.deep.equal({ ...NOTHING, unchanged: 1 });
    });

    const differences: [what: string, change: (store: Store, id: string) => Promise<unknown>][] = [
      ['text', ({ notes }, id) => notes.update(id, { text: 'other' })],
      ['title', ({ notes }, id) => notes.update(id, { title: 'other' })],
      ['tags', ({ notes }, id) => notes.update(id, { tags: ['tag', 'other'] })],
      ['audience', ({ notes }, id) => notes.update(id, { audience: ['user'] })],
      ['priority', ({ notes }, id) => notes.update(id, { priority: 0 })],
    ];
    for (const [what, change] of differences) {
      it(`both notes of the same revision that differ in their ${what}, and once`, async () => {
        const id = await bothHave();
        await change(test.store, id);
        await other.store.notes.update(id, { text: 'text' });
        expect((await importInto()).notes).to.deep.equal({ ...NOTHING, copied: 1 });
        const { notes } = await other.store.notes.list();
        const copy = notes.find((note) => note.id !== id)!;
        const theirs = await test.store.notes.get(id);
        expect(await other.store.notes.get(copy.id)).to.deep.equal({
          ...theirs,
          id: copy.id,
          title: `${theirs.title} (imported)`,
          revision: 1,
        });
        expect((await other.store.notes.get(id)).text).to.equal('text');
        expect((await importInto()).notes).to.deep.equal({ ...NOTHING, unchanged: 1 });
        expect(await titles()).to.have.length(2);
      });
    }

    it('says that the copy of a note is newer here if the user has changed it since', async () => {
      const id = await bothHave();
      await test.store.notes.update(id, { text: 'mine' });
      await other.store.notes.update(id, { text: 'your' });
      expect((await importInto()).notes).to.deep.equal({ ...NOTHING, copied: 1 });
      const { notes } = await other.store.notes.list();
      const copy = notes.find((note) => note.id !== id)!;
      await other.store.notes.update(copy.id, { text: 'mine, and more' });
      expect((await importInto()).notes).to.deep.equal({ ...NOTHING, older: 1 });
      expect((await other.store.notes.get(copy.id)).text).to.equal('mine, and more');
    });

    it('a file that differs under the name of a deleted one, above whose revision it begins', async () => {
      await bothHave();
      const { files } = other.store;
      await files.write('f/a (imported).txt', new Blob(['one']));
      const { revision } = await files.write('f/a (imported).txt', new Blob(['two']));
      await files.delete('f/a (imported).txt');
      await test.store.files.write('f/a.txt', new Blob(['mine']));
      await files.write('f/a.txt', new Blob(['your']));
      expect((await importInto()).files).to.deep.equal({ ...NOTHING, copied: 1 });
      expect((await files.get('f/a (imported).txt')).revision).to.be.above(revision);
    });

    it('both files of the same revision that differ, and once', async () => {
      await bothHave();
      await other.store.files.write('f/a (imported).txt', new Blob(['in the way']));
      await test.store.files.write('f/a.txt', new Blob(['mine']));
      await other.store.files.write('f/a.txt', new Blob(['your']));
      expect((await importInto()).files).to.deep.equal({ ...NOTHING, copied: 1 });
      const copy = await other.store.files.read('f/a (imported 2).txt');
      expect(await copy.blob.text()).to.equal('mine');
      const { createdAt, updatedAt } = await test.store.files.get('f/a.txt');
      expect(copy.file).to.deep.include({ createdAt, updatedAt, revision: 1 });
      expect(await (await other.store.files.read('f/a.txt')).blob.text()).to.equal('your');
      expect((await importInto()).files).to.deep.equal({ ...NOTHING, unchanged: 1 });
      expect(await other.store.files.count()).to.equal(3);
    });

    it('files that differ in what is said of them', async () => {
      await bothHave();
      await test.store.files.update('f/a.txt', { priority: 1 });
      await other.store.files.update('f/a.txt', { priority: 0 });
      expect((await importInto()).files).to.deep.equal({ ...NOTHING, copied: 1 });
      expect((await other.store.files.get('f/a (imported).txt')).priority).to.equal(1);
    });

    it('over what can no longer be read here', async () => {
      const id = await bothHave();
      await storeWith(other, [], [], (transaction) => {
        transaction.objectStore('note-texts').delete(id);
        transaction.objectStore('file-bytes').delete('f/a.txt');
      });
      const report = await importInto();
      expect(report.notes).to.deep.equal({ ...NOTHING, updated: 1 });
      expect(report.files).to.deep.equal({ ...NOTHING, updated: 1 });
      expect((await other.store.notes.get(id)).text).to.equal('text');
      expect(await (await other.store.files.read('f/a.txt')).blob.text()).to.equal('text');
    });
  });

  describe('that is cancelled on its way in', () => {
    it('keeps what was committed, and the next time does the rest', async () => {
      const random = randomNumbers(6);
      await storeWith(test, oddNotes(random, 900, 100), oddFiles(random, 10));
      const archive = await exported();
      let before = 0;
      for (const stopAt of [0.01, 0.4, 0.9]) {
        const controller = new AbortController();
        const reason = new Error('enough');
        const importing = other.store.importZip(archive, {
          signal: controller.signal,
          onProgress: (done, total) => {
            if (done >= stopAt * total) controller.abort(reason);
          },
        });
        expect(await failureOf(importing)).to.equal(reason);
        const [head] = (await readRecords(other.name, 'head')) as {
          notes: number;
          files: number;
        }[];
        expect(head!.notes + head!.files).to.be.within(before + 1, 909);
        before = head!.notes + head!.files;
        expect(await other.store.notes.count()).to.equal(head!.notes);
      }
      const report = await other.store.importZip(archive);
      expect(report.notes).to.deep.equal({ ...NOTHING, unchanged: 900 });
      expect(report.files.added + report.files.unchanged).to.equal(10);
      expect(await contentOf(other)).to.equal(await contentOf(test));
    });

    it('has written nothing where it was before', async () => {
      await test.store.notes.create({ title: '', text: '' });
      const signal = AbortSignal.abort(new Error('enough'));
      expect(await failureOf(other.store.importZip(await exported(), { signal }))).to.equal(
        signal.reason,
      );
      expect(await other.store.notes.count()).to.equal(0);
    });
  });

  it('of large files in pieces brings them back, with their digests', async () => {
    const bytes = new Uint8Array(2 * PIECE + 5).map((_, index) => (index >> 10) % 251);
    const file = await test.store.files.write('large.bin', new Blob([bytes]));
    const report = await other.store.importZip(await exported());
    expect(report.files).to.deep.equal({ ...NOTHING, added: 1 });
    const kept = await other.store.files.read('large.bin');
    expect(kept.file).to.deep.equal(file);
    const back = new Uint8Array(await kept.blob.arrayBuffer());
    expect(back.every((byte, index) => byte === bytes[index])).to.equal(true);
  });
});

/** The lines of the manifest, as any program can read them. */
async function manifestOf(entries: ReadonlyMap<string, Blob>): Promise<unknown[]> {
  const text = await entries.get('manifest.jsonl')!.text();
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

/** In a record no order is meant. */
function sorted(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const ODD_PARTS = [
  'a',
  'Word ',
  '\n',
  '\r\n',
  '---\n',
  '---',
  ': ',
  '"',
  '\\',
  '\0',
  '\u2028',
  '\ufeff',
  ' ',
  '\ud83d',
  '\ude00',
  '\u{1f600}',
  'é',
  'e\u0301',
  '題',
  '../',
  '__proto__',
  '{}',
  '[',
  'id: "',
];

function oddString(random: () => number, maxParts: number): string {
  const count = Math.floor(random() * maxParts);
  const parts = Array.from(
    { length: count },
    () => ODD_PARTS[Math.floor(random() * ODD_PARTS.length)]!,
  );
  // Half a surrogate pair is not stored: test/store/lone-surrogates.test.ts.
  return parts.join('').toWellFormed();
}

function oddAnnotations(random: () => number): { audience?: Audience[]; priority?: number } {
  const audiences: Audience[][] = [['user'], ['assistant'], ['assistant', 'user']];
  return {
    ...(random() < 0.5 && { audience: audiences[Math.floor(random() * 3)]! }),
    ...(random() < 0.5 && { priority: [0, 1, random()][Math.floor(random() * 3)]! }),
  };
}

function oddTimes(random: () => number): {
  createdAt: number;
  updatedAt: number;
  revision: number;
} {
  const times = [0, 1, Date.now(), Math.floor(random() * 8e15), Math.floor(random() * 2e12)];
  const timeOf = (): number => times[Math.floor(random() * times.length)]!;
  const revisions = [1, 2, 1_000_000, 2 ** 40];
  return {
    createdAt: timeOf(),
    updatedAt: timeOf(),
    revision: revisions[Math.floor(random() * revisions.length)]!,
  };
}

function oddNotes(
  random: () => number,
  count: number,
  textParts = 60,
): { summary: Omit<NoteSummary, 'firstLine' | 'size'>; text: string }[] {
  return Array.from({ length: count }, (_, index) => ({
    summary: {
      id: `01HZZZZZZZ${String(index).padStart(16, '0')}`,
      title: oddString(random, index === 0 ? 2_000 : 40).slice(0, MAX_TITLE_LENGTH),
      tags: Array.from({ length: Math.floor(random() * 4) }, () => oddString(random, 8)),
      ...oddTimes(random),
      ...oddAnnotations(random),
    },
    text: oddString(random, textParts),
  }));
}

function oddFiles(
  random: () => number,
  count: number,
): { path: string; bytes: Uint8Array<ArrayBuffer>; record: object }[] {
  const names = [
    'a b',
    'ü',
    '題',
    '\u{1f600}',
    '__proto__',
    'constructor',
    '-',
    '~',
    '\\',
    ':*?"<>|',
  ];
  const types = ['text/plain', 'image/png', 'application/octet-stream', 'x/y.z+json'];
  return Array.from({ length: count }, (_, index) => {
    const name = names[index % names.length]!;
    const path = `${'d/'.repeat(index % 5)}${index % 7 === 0 ? 'x'.repeat(MAX_PATH_BYTES - 60) : ''}${name}.${index}`;
    const length = [0, 1, 1_000, Math.floor(random() * 50_000)][index % 4]!;
    return {
      path,
      bytes: Uint8Array.from({ length }, () => Math.floor(random() * 256)),
      record: {
        mediaType: types[index % types.length]!,
        ...oddTimes(random),
        ...oddAnnotations(random),
      },
    };
  });
}
