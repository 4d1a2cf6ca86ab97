import type { McpClient } from '@inpage-mcp/client';
import { startRuntime } from '@inpage-mcp/runtime';
import type { Client } from '@modelcontextprotocol/client';
import { answerOf, fillWithNotes } from './databases.js';
import { measure, must, timed, type Candidate, type Results } from './measure.js';
import { connectSdkClient } from './sdk-client.js';

const ROUNDS = 25;
const FIRST_PAGE = 200;
const SECOND_PAGE = 1_000;

/** The smaller one still fills the second page. */
const DATABASES = [
  { stored: '10,000', count: 10_000 },
  { stored: '1,500', count: 1_500 },
] as const;

/** What a page of the list costs, above reading its records, and that the rest costs nothing. */
export async function run(): Promise<Results> {
  const candidates: Candidate[] = [];
  for (const { stored, count } of DATABASES) {
    const databaseName = `list-${count}`;
    const runtime = await startRuntime({ databaseName });
    await fillWithNotes(databaseName, count);
    candidates.push(
      ...(await bareCandidates(databaseName, stored)),
      ...(await ownCandidates(await runtime.connect(), stored)),
      ...(await sdkCandidates(await connectSdkClient(runtime, 'auto'), stored)),
    );
  }
  return {
    name: 'list',
    baseline: 'bare getAll of 200 of 10,000',
    rows: await measure(candidates, { rounds: ROUNDS }),
    comparisons: [
      ['our client, 1,000 of 10,000', 'bare getAll of 1,000 of 10,000'],
      ['our client, 200 of 10,000', 'our client, 200 of 1,500'],
      ['our client, 1,000 of 10,000', 'our client, 1,000 of 1,500'],
      ['SDK client, 1,000 of 10,000', 'our client, 1,000 of 10,000'],
    ],
  };
}

/** The newest records, by the one request that reads them. */
async function bareCandidates(databaseName: string, stored: string): Promise<Candidate[]> {
  const database = await answerOf(indexedDB.open(databaseName));
  const notes = () => database.transaction('notes').objectStore('notes');
  const ids = await answerOf(notes().getAllKeys());
  const newest = async (count: number) =>
    hasLength(await answerOf(notes().getAll(IDBKeyRange.lowerBound(ids.at(-count)))), count);
  return [
    timed(`bare getAll of 200 of ${stored}`, () => newest(FIRST_PAGE), { times: 2 }),
    timed(`bare getAll of 1,000 of ${stored}`, () => newest(SECOND_PAGE)),
  ];
}

async function ownCandidates(client: McpClient, stored: string): Promise<Candidate[]> {
  const cursor = (await client.listResources()).nextCursor;
  return [
    timed(
      `our client, 200 of ${stored}`,
      async () => hasLength((await client.listResources()).resources, FIRST_PAGE),
      { times: 2 },
    ),
    timed(`our client, 1,000 of ${stored}`, async () =>
      hasLength((await client.listResources({ cursor })).resources, SECOND_PAGE),
    ),
  ];
}

async function sdkCandidates(client: Client, stored: string): Promise<Candidate[]> {
  // `listResources()` without a cursor would fetch every page.
  const firstPage = () => client.request({ method: 'resources/list' });
  const { nextCursor: cursor } = await firstPage();
  return [
    timed(
      `SDK client, 200 of ${stored}`,
      async () => hasLength((await firstPage()).resources, FIRST_PAGE),
      { times: 2 },
    ),
    timed(`SDK client, 1,000 of ${stored}`, async () =>
      hasLength((await client.listResources({ cursor })).resources, SECOND_PAGE),
    ),
  ];
}

function hasLength(list: readonly unknown[], length: number): void {
  must(list.length === length, `a page has ${list.length} entries`);
}
