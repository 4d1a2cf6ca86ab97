import { startRuntime, type Runtime } from '@inpage-mcp/runtime';
import { connectSdkClient } from './sdk-client.js';
import { fillWithFiles, fillWithNotes, indexed, noteId } from './databases.js';
import { measure, must, timed, type Candidate, type Results } from './measure.js';

/** The worker that serves the larger database stays open to the end. */
export const watchesMemory = true;

const ROUNDS = 25;
const PAGE = 200;

/** Files are a tenth of the notes. */
const DATABASES = [
  { stored: '100,000', count: 100_000 },
  { stored: '1,000', count: 1_000 },
] as const;

/** That the cost of a page, a read, a count and a start is not that of what is stored. */
export async function run(): Promise<Results> {
  const candidates: Candidate[] = [];
  let largest: Runtime | undefined;
  for (const { stored, count } of DATABASES) {
    const databaseName = `scale-${count}`;
    const filling = await startRuntime({ databaseName });
    await fillWithNotes(databaseName, count);
    await fillWithFiles(databaseName, count / 10);
    await indexed(databaseName);
    await filling.close();
    candidates.push(startAndList(databaseName, stored));
    const runtime = await startRuntime({ databaseName });
    largest ??= runtime;
    candidates.push(...(await candidatesOf(runtime, stored, count)));
  }
  const rows = await measure(candidates, { rounds: ROUNDS });
  return {
    name: 'scale',
    baseline: 'single read of 1,000',
    rows: [...rows, await wholeList(largest!)],
    comparisons: [
      'first page',
      'page in the middle',
      'page of files in the middle',
      'single read',
      'counts',
      'start to first list',
    ].map((what) => [`${what} of 100,000`, `${what} of 1,000`]),
  };
}

async function candidatesOf(runtime: Runtime, stored: string, count: number): Promise<Candidate[]> {
  const client = await runtime.connect();
  const middle = noteId(count / 2);
  const middleFile = (await runtime.files.list({ limit: count / 20 })).next;
  must(middleFile !== undefined, 'there are too few files');
  return [
    timed(
      `first page of ${stored}`,
      async () => hasLength((await client.listResources()).resources, PAGE),
      { times: 2 },
    ),
    timed(
      `page in the middle of ${stored}`,
      async () => hasLength((await runtime.notes.list({ after: middle, limit: PAGE })).notes, PAGE),
      { times: 2 },
    ),
    timed(
      `page of files in the middle of ${stored}`,
      async () =>
        hasLength((await runtime.files.list({ after: middleFile!, limit: 50 })).files, 50),
      { times: 2 },
    ),
    timed(`single read of ${stored}`, () => client.readResource(`note:///${middle}`), {
      times: 5,
    }),
    timed(
      `counts of ${stored}`,
      async () => must((await runtime.storage.estimate()).notes === count, 'the count is wrong'),
      { times: 5 },
    ),
  ];
}

function startAndList(databaseName: string, stored: string): Candidate {
  return async () => {
    const start = performance.now();
    const runtime = await startRuntime({ databaseName });
    const client = await runtime.connect();
    hasLength((await client.listResources()).resources, PAGE);
    const ms = performance.now() - start;
    await runtime.close();
    return { [`start to first list of ${stored}`]: ms };
  };
}

/** Every page, once: with the official client, which gathers at most 64 of them. */
async function wholeList(runtime: Runtime) {
  const client = await connectSdkClient(runtime, 'auto');
  const start = performance.now();
  const { resources } = await client.listResources();
  const medianMs = performance.now() - start;
  const own = resources.filter(({ uri }) => !uri.startsWith('inpage:') && !uri.endsWith('/'));
  must(own.length === 110_000, `the whole list has ${own.length} notes and files`);
  const name = 'SDK client, listResources() of 110,000';
  return { name, medianMs, lowerQuartileMs: medianMs, upperQuartileMs: medianMs };
}

function hasLength(list: readonly unknown[], length: number): void {
  must(list.length === length, `a page has ${list.length} entries`);
}
