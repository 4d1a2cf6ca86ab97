import { startRuntime } from '@inpage-mcp/runtime';
import { answerOf, fillWithNotes } from './databases.js';
import { measure, must, type Candidate, type Results } from './measure.js';
import { sdkPair, sdkWorker } from './peers.js';

const ROUNDS = 20;
const EXISTING = 'start-existing';
const NOTES = 1_000;
const FIRST_PAGE = 200;

/** How long a page waits for its server, above what any worker takes to run. */
export async function run(): Promise<Results> {
  const runtime = await startRuntime({ databaseName: EXISTING });
  await fillWithNotes(EXISTING, NOTES);
  await runtime.close();
  const baseline = 'empty module worker, first message';
  const candidates = [
    () => startBareWorker(baseline, new URL('./empty.worker.js', import.meta.url)),
    () => startBareWorker('our worker, first message', new URL('./worker.js', import.meta.url)),
    startWithFreshDatabase(),
    () => startAndList('existing database', EXISTING, FIRST_PAGE),
    () => startSdkWorker('SDK client and worker with one resource: first list'),
  ];
  return {
    name: 'start',
    baseline,
    rows: await measure(candidates, { rounds: ROUNDS }),
    comparisons: [
      ['existing database: first list', 'SDK client and worker with one resource: first list'],
      ['fresh database: first list', 'SDK client and worker with one resource: first list'],
    ],
  };
}

/** Our own script sends its first message before the rest of it runs: it has been loaded and compiled. */
async function startBareWorker(row: string, url: URL) {
  const start = performance.now();
  const worker = new Worker(url, { type: 'module' });
  await new Promise((resolve) => {
    worker.onmessage = resolve;
  });
  const ms = performance.now() - start;
  worker.terminate();
  return { [row]: ms };
}

/** What a user would pick instead, which has no database to open. */
async function startSdkWorker(row: string) {
  const start = performance.now();
  const worker = sdkWorker();
  const client = await sdkPair(worker);
  const { resources } = await client.listResources();
  const ms = performance.now() - start;
  must(resources.length === 1, 'the list is another');
  worker.terminate();
  return { [row]: ms };
}

function startWithFreshDatabase(): Candidate {
  let count = 0;
  return async () => {
    const databaseName = `start-fresh-${count++}`;
    const timings = await startAndList('fresh database', databaseName, 0);
    await answerOf(indexedDB.deleteDatabase(databaseName));
    return timings;
  };
}

/** Each row counts from the call of `startRuntime()`. */
async function startAndList(row: string, databaseName: string, expected: number) {
  const start = performance.now();
  const runtime = await startRuntime({ databaseName });
  const ready = performance.now();
  const client = await runtime.connect();
  const connected = performance.now();
  const { resources } = await client.listResources();
  const listed = performance.now();
  // What the runtime lists of itself is behind the notes, on the last page.
  const notes = resources.filter(({ uri }) => uri.startsWith('note:'));
  must(notes.length === expected, `the first page has ${notes.length} notes`);
  await runtime.close();
  return {
    [`${row}: ready`]: ready - start,
    [`${row}: connected`]: connected - start,
    [`${row}: first list`]: listed - start,
  };
}
