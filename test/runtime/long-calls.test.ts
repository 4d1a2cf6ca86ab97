import { expect } from '@esm-bundle/chai';
import { startRuntime, type Runtime, type RuntimeError } from '@inpage-mcp/runtime';
import { freshDatabaseName } from '../support/database.js';
import { failureOf } from '../support/failure.js';
import { buildZip } from '../store/zip-builder.js';
import { MortalWorkers } from './mortal-workers.js';
import { nextEvent } from './next-event.js';
import { reportedErrors } from '../support/reported-errors.js';
import { eventually } from '../support/within.js';

const MIB = 1024 * 1024;

const MANIFEST = '{"format":"inpage-mcp archive","version":2}\n';

/** Bytes that differ from place to place, in an amount that nobody wants to hold twice. */
function bytesOf(size: number): Blob {
  const piece = new Uint8Array(MIB).map((_, index) => (index * 7) % 251);
  const whole = Array.from({ length: Math.floor(size / MIB) }, () => piece);
  return new Blob([...whole, piece.subarray(0, size % MIB)]);
}

function isRestarted(error: unknown): boolean {
  return (error as RuntimeError).code === 'worker-restarted';
}

describe('long calls of a runtime', () => {
  let databaseName: string;
  let workers: MortalWorkers;
  let runtimes: Runtime[];

  beforeEach(() => {
    databaseName = freshDatabaseName();
    workers = new MortalWorkers();
    runtimes = [];
  });

  afterEach(async () => {
    for (const runtime of runtimes) await runtime.close();
    await workers.deleteDatabase(databaseName);
    localStorage.removeItem(`inpage-mcp:${databaseName}`);
  });

  const start = async (): Promise<Runtime> => {
    const runtime = await startRuntime({ databaseName, worker: workers.make });
    runtimes.push(runtime);
    return runtime;
  };
  /** Fails unless it rises from report to report, up to the whole. */
  const expectProgress = (reports: (readonly [number, number])[]): void => {
    expect(reports).not.to.have.length(0);
    const done = reports.map(([value]) => value);
    expect(done).to.deep.equal(done.toSorted((a, b) => a - b));
    expect(reports.at(-1)![0]).to.equal(reports.at(-1)![1]);
  };
  const exported = async (runtime: Runtime): Promise<Blob> =>
    await new Response(await runtime.storage.exportZip()).blob();

  it('write a large file with progress, and read it back', async () => {
    const runtime = await start();
    const blob = bytesOf(17 * MIB + 5);
    const reports: [number, number][] = [];
    const file = await runtime.files.write('large', blob, {
      onProgress: (...report) => reports.push(report),
    });
    expect(file.size).to.equal(blob.size);
    expect(file.digest).to.match(/^[0-9a-f]{64}$/);
    expectProgress(reports);
    expect(reports.at(-1)).to.deep.equal([blob.size, blob.size]);
    const { blob: read } = await runtime.files.read('large');
    const [before, after] = [blob, read].map((one) => one.slice(16 * MIB - 3, 16 * MIB + 3));
    expect(await after!.bytes()).to.deep.equal(await before!.bytes());
    const verified: [number, number][] = [];
    const { state } = await runtime.files.verify('large', {
      onProgress: (...report) => verified.push(report),
    });
    expect(state).to.equal('intact');
    expectProgress(verified);
  });

  it('can be cancelled, and leave nothing', async () => {
    const runtime = await start();
    await runtime.files.write('large', new Blob(['before']));
    const controller = new AbortController();
    const reason = new Error('enough');
    const writing = runtime.files.write('large', bytesOf(20 * MIB), {
      signal: controller.signal,
      onProgress: () => controller.abort(reason),
    });
    expect(await failureOf(writing)).to.equal(reason);
    const { file, blob } = await runtime.files.read('large');
    expect(file.revision).to.equal(1);
    expect(await blob.text()).to.equal('before');
    const aborted = AbortSignal.abort(reason);
    expect(await failureOf(runtime.files.write('a', blob, { signal: aborted }))).to.equal(reason);
    const notes = [{ title: 'a', text: '' }];
    expect(await failureOf(runtime.notes.createAll(notes, { signal: aborted }))).to.equal(reason);
    expect((await runtime.notes.list()).notes).to.deep.equal([]);
  });

  it('create many notes at once, as one change to others', async () => {
    const [here, there] = [await start(), await start()];
    const client = await there.connect();
    const changes: number[] = [];
    client.watchList(() => changes.push(changes.length));
    const notes = Array.from({ length: 500 }, (_, n) => ({ title: `n${n}`, text: `text ${n}` }));
    const created = await here.notes.createAll(notes, { idempotencyKey: 'key' });
    expect(created.map(({ title }) => title)).to.deep.equal(notes.map(({ title }) => title));
    const again = await here.notes.createAll(notes, { idempotencyKey: 'key' });
    expect(again).to.deep.equal(created);
    await eventually(() => changes.length > 0);
    // timed: no second one is to come, and nothing comes after it.
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(changes).to.have.length(1);
    expect((await there.storage.estimate()).notes).to.equal(500);
    const { matches, total } = await there.notes.search('text 321');
    expect(total).to.equal(1);
    expect(matches[0]?.note.title).to.equal('n321');
  });

  it('find files by their names', async () => {
    const runtime = await start();
    for (const path of ['trips/Lisbon.jpg', 'trips/Porto.jpg', 'lisbon.txt']) {
      await runtime.files.write(path, new Blob(['a']));
    }
    const { matches, total } = await runtime.files.search('lisb', { limit: 1 });
    expect(total).to.equal(2);
    expect(matches).to.have.length(1);
  });

  it('export everything, and bring it back as it was', async () => {
    const runtime = await start();
    await runtime.notes.create({ title: 'Ünï', text: '---\r\nnote', tags: ['a'] });
    await runtime.files.write('a/b.bin', bytesOf(300_000), { priority: 0.5 });
    await runtime.files.write('large', bytesOf(17 * MIB));
    const before = [await runtime.notes.list(), await runtime.files.list()];
    const reports: [number, number][] = [];
    const stream = await runtime.storage.exportZip({
      onProgress: (...report) => reports.push(report),
    });
    const zip = await new Response(stream).blob();
    expectProgress(reports);
    await runtime.storage.clear();
    const imported: [number, number][] = [];
    const report = await runtime.storage.importZip(zip, {
      onProgress: (...progress) => imported.push(progress),
    });
    expectProgress(imported);
    expect(report.notes.added).to.equal(1);
    expect(report.files.added).to.equal(2);
    expect(report.skipped).to.deep.equal([]);
    expect([await runtime.notes.list(), await runtime.files.list()]).to.deep.equal(before);
    expect((await runtime.files.verify('large')).state).to.equal('intact');
  });

  it('bring in a note whose front matter another program has written', async () => {
    const runtime = await start();
    const id = '01BX5ZZKBKACTAV9WEVGEMMVRZ';
    const note = `---\nid: ${id}\ntitle: 'It''s mine'\ntags:\n  - a\nrevision: 4\n---\ntext`;
    const entries = { 'notes/a.md': note, 'manifest.jsonl': MANIFEST };
    const zip = buildZip(
      Object.entries(entries).map(([name, text]) => ({
        name,
        content: new TextEncoder().encode(text),
      })),
    );
    expect((await runtime.storage.importZip(zip)).notes.added).to.equal(1);
    const stored = await runtime.notes.get(id);
    expect(stored).to.include({ title: "It's mine", revision: 4, text: 'text' });
    expect(stored.tags).to.deep.equal(['a']);
  });

  it('refuse to bring in what is no export', async () => {
    const runtime = await start();
    const error = (await failureOf(
      runtime.storage.importZip(new Blob(['no zip'])),
    )) as RuntimeError;
    expect(error.code).to.equal('invalid-argument');
  });

  it('export everything although the listener of the progress throws', async () => {
    const runtime = await start();
    await runtime.notes.create({ title: 'a', text: '' });
    const failure = new Error('of the listener');
    let size = 0;
    const errors = await reportedErrors(async () => {
      const onProgress = (): void => {
        throw failure;
      };
      size = (await new Response(await runtime.storage.exportZip({ onProgress })).blob()).size;
    });
    expect(size).to.be.above(0);
    expect(errors.length).to.be.above(0);
    expect(new Set(errors)).to.deep.equal(new Set([failure]));
  });

  it('end an export that nobody reads any more', async () => {
    const runtime = await start();
    await runtime.files.write('large', bytesOf(17 * MIB));
    const controller = new AbortController();
    const reason = new Error('enough');
    const stream = await runtime.storage.exportZip({ signal: controller.signal });
    const reader = stream.getReader();
    expect((await reader.read()).value?.length).to.be.above(0);
    controller.abort(reason);
    expect(await failureOf(reader.read())).to.equal(reason);
    const other = await runtime.storage.exportZip();
    await other.cancel();
    const aborted = runtime.storage.exportZip({ signal: AbortSignal.abort(reason) });
    expect(await failureOf(aborted)).to.equal(reason);
    expect((await exported(runtime)).size).to.be.above(17 * MIB);
  });

  it('end when they are aborted while another worker starts', async () => {
    const runtime = await start();
    await runtime.notes.create({ title: 'a', text: '' });
    const reason = new Error('enough');
    for (const delayMs of [0, 5, 50]) {
      const restarted = nextEvent(runtime, 'restart');
      workers.kill();
      const controller = new AbortController();
      const { signal } = controller;
      const reading = runtime.storage.exportZip({ signal }).then(async (stream) => {
        // WebKit has no `for await` of a stream.
        const reader = stream.getReader();
        let size = 0;
        for (;;) {
          const { done, value } = await reader.read();
          if (done) return size;
          size += value.length;
        }
      });
      // timed: each time at another moment.
      setTimeout(() => controller.abort(reason), delayMs);
      const outcome = await reading.catch((error: unknown) => error);
      expect(outcome === reason || Number(outcome) > 0 || isRestarted(outcome)).to.equal(true);
      await restarted;
    }
  });

  it('fail when the worker dies, and not for ever wait', async () => {
    const runtime = await start();
    await runtime.files.write('large', bytesOf(17 * MIB));
    const reader = (await runtime.storage.exportZip()).getReader();
    await reader.read();
    const restarted = nextEvent(runtime, 'restart');
    workers.kill();
    await restarted;
    const error = (await failureOf(reader.read())) as RuntimeError;
    expect(error.code).to.equal('worker-restarted');
    const writing = runtime.files.write('large', bytesOf(20 * MIB), {
      onProgress: (done) => done > 0 && workers.kill(),
    });
    expect(((await failureOf(writing)) as RuntimeError).code).to.equal('worker-restarted');
    expect((await runtime.files.read('large')).file.revision).to.equal(1);
  });
});
