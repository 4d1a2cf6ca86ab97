import { startRuntime } from '@inpage-mcp/runtime';
import { measure, must, pipelined, timed, type Results } from './measure.js';
import { handWritten } from './peers.js';

const ROUNDS = 25;
const ONE_AFTER_THE_OTHER = 20;
const AT_ONCE = 100;
const FILE_BYTES = 10_000_000;

/** What notes and files cost, above the same records of IndexedDB over a port without a protocol. */
export async function run(): Promise<Results> {
  const databaseName = 'bench-writes';
  const runtime = await startRuntime({ databaseName });
  const client = await runtime.connect();
  const note = await runtime.notes.create({ title: 'Note', text: 'A small note.' });
  const uri = `note:///${note.id}`;
  const bytes = crypto.getRandomValues(new Uint8Array(65_536));
  const content = new Blob(
    Array.from({ length: FILE_BYTES / 50_000 }, () => bytes.slice(0, 50_000)),
  );
  await runtime.files.write('large.bin', content);
  const rpc = handWritten();
  await rpc('open', databaseName);
  const [record] = (await rpc('note', note.id)) as [{ id: string }];
  let count = 0;
  const fresh = (): { id: string } => ({ ...record, id: `bare-${(count += 1)}` });
  const text = (): string => `Version ${(count += 1)}`;
  const succeeds = async (name: string, args: object): Promise<void> =>
    must(!(await client.callTool(name, { ...args })).isError, `${name} failed`);

  const times = ONE_AFTER_THE_OTHER;
  const candidates = [
    timed('bare put of record and text, strict', () => rpc('put', fresh(), text()), { times }),
    timed('runtime.notes.create', () => runtime.notes.create({ title: 'a', text: text() }), {
      times,
    }),
    timed('runtime.notes.update', () => runtime.notes.update(note.id, { text: text() }), { times }),
    timed('tool create_note', () => succeeds('create_note', { title: 'a', text: text() }), {
      times,
    }),
    timed('tool update_note', () => succeeds('update_note', { id: note.id, text: text() }), {
      times,
    }),
    pipelined('bare read of a note, each of 100', () => rpc('note', note.id), { times: AT_ONCE }),
    pipelined('our client reads a note, each of 100', () => client.readResource(uri), {
      times: AT_ONCE,
    }),
    timed('10 MB in base64, hand-written', async () => {
      const base64 = (await rpc('base64', 'large.bin')) as string;
      must(base64.length > FILE_BYTES, 'it is too short');
    }),
    timed('10 MB in base64, our client', async () => {
      const { contents } = await client.readResource('file:///large.bin');
      must(contents.length === 1, 'there is no content');
    }),
  ];
  return {
    name: 'writes',
    baseline: 'bare put of record and text, strict',
    rows: await measure(candidates, { rounds: ROUNDS }),
    comparisons: [
      ['our client reads a note, each of 100', 'bare read of a note, each of 100'],
      ['10 MB in base64, our client', '10 MB in base64, hand-written'],
    ],
  };
}
