import { expect } from '@esm-bundle/chai';
// These files are internal to the package: an archive of a store has neither so many nor such entries.
import { crc32 } from '../../packages/store/src/archive/crc32.js';
import { entriesOf, type ZipEntry } from '../../packages/store/src/archive/read-zip.js';
import { zipOf, type ZipSource } from '../../packages/store/src/archive/write-zip.js';
import { openZip, readBlob, readBytes } from '../../packages/store/src/archive/read-zip-entries.js';
import { failureOf } from '../support/failure.js';
import { type BuiltEntry, buildZip, bytesOf, deflate } from './zip-builder.js';
import { itInAll } from '../support/it-in-all.js';

describe('a zip archive', () => {
  const write = async (sources: AsyncIterable<ZipSource>): Promise<Blob> => {
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    for await (const chunk of zipOf(sources)) chunks.push(chunk);
    return new Blob(chunks);
  };
  const list = async (blob: Blob): Promise<ZipEntry[]> => {
    const entries: ZipEntry[] = [];
    const { bytes, directory } = await openZip(blob);
    for await (const entry of entriesOf(bytes, directory)) entries.push(entry);
    return entries;
  };
  const read = async (blob: Blob, entry: ZipEntry): Promise<string> => {
    const zip = await openZip(blob);
    const bytes = await readBytes(zip, entry, 2e6);
    expect(await (await readBlob(zip, entry)).text()).to.equal(new TextDecoder().decode(bytes));
    return new TextDecoder().decode(bytes);
  };
  const source = (name: string, content: string): ZipSource => ({
    name,
    modifiedAt: 0,
    content: bytesOf(content),
  });

  it('knows the CRC of known bytes', () => {
    expect(crc32(bytesOf(''))).to.equal(0);
    expect(crc32(bytesOf('123456789'))).to.equal(0xcb_f4_39_26);
    const bytes = Uint8Array.from({ length: 1_003 }, (_, index) => (index * 31) % 256);
    for (const cut of [0, 1, 7, 8, 9, 500, 1_003]) {
      expect(crc32(bytes.subarray(cut), crc32(bytes.subarray(0, cut)))).to.equal(crc32(bytes));
    }
  });

  it('has the bytes, names and times that went in', async () => {
    const time = Date.UTC(2024, 1, 29, 23, 59, 58);
    const blob = await write(
      (async function* () {
        yield { ...source('a.txt', 'one'), modifiedAt: time };
        yield source('leer/é 題 \\ :*?.bin', '');
        yield { name: 'blob', modifiedAt: -1, content: new Blob(['x'.repeat(200_000)]) };
        yield { name: 'late', modifiedAt: Date.UTC(2200, 0), content: new Blob([]) };
      })(),
    );
    const entries = await list(blob);
    expect(entries.map(({ name, size }) => [name, size])).to.deep.equal([
      ['a.txt', 3],
      ['leer/é 題 \\ :*?.bin', 0],
      ['blob', 200_000],
      ['late', 0],
    ]);
    const texts = await Promise.all(entries.map((entry) => read(blob, entry)));
    expect(texts).to.deep.equal(['one', '', 'x'.repeat(200_000), '']);
    expect(entries.map(({ modifiedAt }) => modifiedAt)).to.deep.equal([
      time,
      Date.UTC(1980, 0),
      Date.UTC(1980, 0),
      Date.UTC(2107, 11, 31, 23, 59, 58),
    ]);
  });

  itInAll(
    'has a directory of 64 bits where there are more entries than one of 32 can count',
    async () => {
      const count = 65_536;
      const blob = await write(
        (async function* () {
          for (let index = 0; index < count; index++) yield source(`n/${index}`, `${index}`);
        })(),
      );
      const tail = new DataView(await blob.slice(-42).arrayBuffer());
      expect(tail.getUint32(0, true)).to.equal(0x07_06_4b_50);
      const entries = await list(blob);
      expect(entries).to.have.length(count);
      expect(entries.at(-1)).to.include({ name: `n/${count - 1}`, size: 5 });
      expect(await read(blob, entries.at(-1)!)).to.equal('65535');
      // With as many as a small one can count, it is found without.
      const small = await write(
        (async function* () {
          for (let index = 0; index < 65_534; index++) yield source('n', '');
        })(),
      );
      const end = new DataView(await small.slice(-22).arrayBuffer());
      expect(end.getUint16(10, true)).to.equal(65_534);
      expect((await openZip(small)).directory.size).to.equal(65_534 * (46 + 'n'.length));
    },
  );

  it('is read where every size and place is in its fields of 64 bits', async () => {
    const entries: BuiltEntry[] = [
      { name: 'a', content: bytesOf('one'), zip64: true },
      { name: 'b', content: bytesOf('two') },
    ];
    const blob = buildZip(entries, { zip64: true });
    const [first, second] = await list(blob);
    expect(await read(blob, first!)).to.equal('one');
    expect(await read(blob, second!)).to.equal('two');
  });

  it('of another program is read, its entries deflated, with a comment and folders', async () => {
    const content = 'some text '.repeat(10_000);
    const deflated = await deflate(bytesOf(content));
    expect(deflated.length).to.be.lessThan(content.length / 10);
    const blob = buildZip(
      [
        { name: 'folder/' },
        { name: 'folder/a', content: bytesOf(content), deflated },
        { name: 'b', content: bytesOf(''), deflated: await deflate(bytesOf('')) },
      ],
      { comment: 'a comment PK\u0005\u0006 with a signature in it' },
    );
    const entries = await list(blob);
    expect(entries.map(({ name }) => name)).to.deep.equal(['folder/', 'folder/a', 'b']);
    expect(await read(blob, entries[1]!)).to.equal(content);
    expect(await read(blob, entries[2]!)).to.equal('');
  });

  it('keeps what is stored where it is, and reads only parts of it', async () => {
    const blob = buildZip([{ name: 'a', content: bytesOf('one') }]);
    const [entry] = await list(blob);
    const kept = await readBlob(await openZip(blob), entry!);
    expect(kept.size).to.equal(3);
    expect(await kept.text()).to.equal('one');
  });

  const bad: [what: string, entry: BuiltEntry, reason: RegExp][] = [
    ['with another CRC', { name: 'a', content: bytesOf('one'), crc: 1 }, /damaged/],
    ['encrypted', { name: 'a', content: bytesOf('one'), flags: 1 }, /encrypted/],
    ['of an unknown method', { name: 'a', content: bytesOf('one'), method: 12 }, /not supported/],
    ['stored with two sizes', { name: 'a', content: bytesOf('one'), size: 4 }, /contradict/],
    [
      'outside the archive',
      { name: 'a', content: bytesOf('one'), offset: 1e6 },
      /not at the position/,
    ],
    [
      'beyond any archive',
      { name: 'a', content: bytesOf('one'), offset: 2 ** 60 },
      /not at the position/,
    ],
    ['where none begins', { name: 'a', content: bytesOf('one'), offset: 1 }, /not at the position/],
    [
      'whose sizes are nowhere',
      { name: 'a', content: bytesOf('one'), size: 0xff_ff_ff_ff },
      /missing/,
    ],
    [
      'that is too large to count',
      { name: 'a', content: bytesOf(''), zip64: true, size: 2 ** 60, method: 8 },
      /as large/,
    ],
  ];
  for (const [what, entry, reason] of bad) {
    it(`reports an entry ${what}, and reads the others`, async () => {
      const blob = buildZip([entry, { name: 'b', content: bytesOf('two') }]);
      const [first, second] = await list(blob);
      const zip = await openZip(blob);
      for (const reading of [() => readBytes(zip, first!, 1e6), () => readBlob(zip, first!)]) {
        const error = (await failureOf(reading())) as Error;
        expect(error.name).to.equal('InvalidEntry');
        expect(error.message).to.match(reason);
      }
      expect(await read(blob, second!)).to.equal('two');
    });
  }

  it('ends an entry that inflates to more or less than it says', async () => {
    const zeros = new Uint8Array(4 * 1024 * 1024);
    const deflated = await deflate(zeros);
    for (const [size, reason] of [
      [1_000, /more bytes/],
      [zeros.length + 1, /fewer bytes/],
      [1_032 * deflated.length + 1, /as large/],
      [3_000_001, /fewer bytes/],
    ] as const) {
      const isShort = size === 3_000_001;
      const content = isShort ? zeros.subarray(0, 3_000_000) : zeros;
      const kept = isShort ? await deflate(content) : deflated;
      const blob = buildZip([{ name: 'bomb', content, deflated: kept, size }]);
      const [entry] = await list(blob);
      const zip = await openZip(blob);
      const error = (await failureOf(readBlob(zip, entry!))) as Error;
      expect(error.message).to.match(reason);
    }
    const noise = bytesOf('this is no deflated text');
    const blob = buildZip([{ name: 'noise', content: noise, deflated: noise }]);
    const [entry] = await list(blob);
    const zip = await openZip(blob);
    expect(((await failureOf(readBlob(zip, entry!))) as Error).message).to.match(/inflated/);
  });

  it('reports bytes that cannot be read, and not an archive that is wrong, however late', async () => {
    const noise = new Uint8Array(3 * 1024 * 1024);
    for (let at = 0; at < noise.length; at += 65_536) {
      crypto.getRandomValues(noise.subarray(at, at + 65_536));
    }
    for (const deflated of [undefined, await deflate(noise)]) {
      const blob = buildZip([{ name: 'a', content: noise, ...(deflated && { deflated }) }]);
      const [entry] = await list(blob);
      const zip = await openZip(blob);
      // The first parts are read, and then the file is gone.
      let reads = 0;
      blob.slice = (start, end) => {
        reads += 1;
        const part = Blob.prototype.slice.call(blob, start, end);
        if (reads > 2)
          part.arrayBuffer = () => Promise.reject(new DOMException('', 'NotFoundError'));
        return part;
      };
      expect((await failureOf(readBlob(zip, entry!))) as Error).to.include({ code: 'unreadable' });
      expect(reads).to.equal(3);
    }
  });

  it('is none where its end or its directory is not what it should be', async () => {
    const good = buildZip([{ name: 'a', content: bytesOf('one') }]);
    const bytes = new Uint8Array(await good.arrayBuffer());
    const directoryAt = bytes.length - 22 - 47;
    const broken = bytes.slice();
    broken[directoryAt] = 0;
    const half = new Blob([bytes.subarray(0, 40)]);
    for (const blob of [
      new Blob([]),
      new Blob(['no zip']),
      half,
      new Blob([broken]),
      new Blob([bytes, '!']),
    ]) {
      const error = (await failureOf(list(blob))) as { code?: string };
      expect(error.code).to.equal('invalid-argument');
    }
  });

  it('goes on after a Blob that cannot be read to its end, and says so', async () => {
    const half = 'x'.repeat(1024 * 1024);
    const failing = new Blob([half, half]);
    const gone = new Blob([half]);
    gone.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotReadableError'));
    failing.slice = (start, end) => (start === 0 ? new Blob([half]).slice(0, end) : gone);
    const errors: unknown[] = [];
    const blob = await write(
      (async function* () {
        const onunreadable = (error: unknown): number => errors.push(error);
        yield { name: 'a', modifiedAt: 0, content: failing, onunreadable };
        yield source('b', 'two');
      })(),
    );
    const [first, second] = await list(blob);
    expect(errors).to.have.length(1);
    expect(await read(blob, first!)).to.equal(half);
    expect(await read(blob, second!)).to.equal('two');
  });
});
