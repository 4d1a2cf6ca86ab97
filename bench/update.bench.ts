import { startRuntime, type Runtime } from '@inpage-mcp/runtime';
import { measure, type Candidate, type Results, type Timings } from './measure.js';

const ROUNDS = 30;

/**
 * Longer than the server waits between two bursts of notifications to one connection: each update
 * is then one that nothing came before, which is reported at once.
 */
const PAUSE_MS = 100;

/** How soon another tab is notified of an edit, above what a message through two workers costs. */
export async function run(): Promise<Results> {
  const here = await startRuntime();
  const other = await startRuntime();
  const { id } = await here.notes.create({ title: 'Note', text: 'Version 0' });
  const own = await watch(here, `note:///${id}`);
  const second = await watch(other, `note:///${id}`);
  const baseline = 'through two workers by BroadcastChannel';
  const candidates = [await relay(baseline), update(here, id, own, second)];
  return { name: 'update', baseline, rows: await measure(candidates, { rounds: ROUNDS }) };
}

/** Page → worker → channel → another worker → page: the way of an update, with nothing done. */
async function relay(row: string): Promise<Candidate> {
  const [sender, receiver] = await Promise.all([startRelay(), startRelay()]);
  return async () => {
    await pause();
    const start = performance.now();
    const message = new Promise((resolve) => {
      receiver.onmessage = resolve;
    });
    sender.postMessage([{ kind: 'note', key: 'id', type: 'updated', listingChanged: false }]);
    await message;
    return { [row]: performance.now() - start };
  };
}

function startRelay(): Promise<Worker> {
  const worker = new Worker(new URL('./relay.worker.js', import.meta.url), { type: 'module' });
  return new Promise((resolve) => {
    worker.onmessage = () => resolve(worker);
  });
}

/** A client's next call back, of a watch that has been acknowledged. */
type NextUpdate = () => Promise<number>;

async function watch(runtime: Runtime, uri: string): Promise<NextUpdate> {
  const client = await runtime.connect();
  let onUpdated: ((at: number) => void) | undefined;
  await client.watch(uri, () => onUpdated?.(performance.now())).ready;
  return () =>
    new Promise((resolve) => {
      onUpdated = resolve;
    });
}

function update(runtime: Runtime, id: string, own: NextUpdate, second: NextUpdate): Candidate {
  let version = 0;
  return async (): Promise<Timings> => {
    await pause();
    const start = performance.now();
    const updated = runtime.notes
      .update(id, { text: `Version ${++version}` })
      .then(() => performance.now());
    const [acknowledged, here, there] = await Promise.all([updated, own(), second()]);
    return {
      'update() resolves': acknowledged - start,
      'a client of the same runtime is notified': here - start,
      'a client of another runtime is notified': there - start,
    };
  };
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, PAUSE_MS);
  });
}
