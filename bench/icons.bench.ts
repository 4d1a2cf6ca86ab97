import { startRuntime } from '@inpage-mcp/runtime';
import { measure, must, timed, type Candidate, type Results } from './measure.js';

const ROUNDS = 25;
const PAGE = 1_000;

/** What icons on each resource would cost a list of 1,000. */
export async function run(): Promise<Results> {
  const rows = await measure([await candidate('without icons'), await candidate('with icons')], {
    rounds: ROUNDS,
  });
  return {
    name: 'icons',
    baseline: '1,000 without icons',
    rows,
    comparisons: [['1,000 with icons', '1,000 without icons']],
  };
}

async function candidate(name: 'with icons' | 'without icons'): Promise<Candidate> {
  const runtime = await startRuntime({
    databaseName: `icons-${name}`,
    worker: new Worker(new URL('./listing.worker.js', import.meta.url), { type: 'module', name }),
  });
  const client = await runtime.connect();
  const cursor = (await client.listResources()).nextCursor;
  return timed(`1,000 ${name}`, async () => {
    const { resources } = await client.listResources({ cursor });
    must(resources.length === PAGE, `a page has ${resources.length} entries`);
  });
}
