import type { ResourceContents } from '@inpage-mcp/client';
import { startRuntime } from '@inpage-mcp/runtime';
import { measure, must, pipelined, timed, type Results } from './measure.js';
import { connectSdkClient } from './sdk-client.js';

const ROUNDS = 15;
const ONE_AFTER_THE_OTHER = 20;
const AT_ONCE = 1_000;

/** What reading one small note costs, above what any message to a worker and back costs. */
export async function run(): Promise<Results> {
  const runtime = await startRuntime();
  const { id, text } = await runtime.notes.create({ title: 'Note', text: 'A small note.' });
  const uri = `note:///${id}`;
  const isNote = ({ contents: [first] }: { contents: ResourceContents[] }): void =>
    must(first !== undefined && 'text' in first && first.text === text, 'the note reads otherwise');

  const roundTrip = echoPort();
  const own = await runtime.connect();
  const modern = await connectSdkClient(runtime, 'auto');
  const legacy = await connectSdkClient(runtime, 'legacy');
  const ways: [name: string, read: () => Promise<unknown>][] = [
    [
      'raw port',
      () => roundTrip({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } }),
    ],
    ['runtime.notes.get', () => runtime.notes.get(id)],
    ['our client', async () => isNote(await own.readResource(uri))],
    ['SDK client, modern', async () => isNote(await modern.readResource({ uri }))],
    ['SDK client, legacy', async () => isNote(await legacy.readResource({ uri }))],
  ];

  const candidates = [
    ...ways.map(([name, read]) => timed(name, read, { times: ONE_AFTER_THE_OTHER })),
    ...ways.map(([name, read]) => pipelined(`${name}, each of 1,000`, read, { times: AT_ONCE })),
  ];
  return {
    name: 'read',
    baseline: 'raw port',
    rows: await measure(candidates, { rounds: ROUNDS }),
    comparisons: [
      ['our client', 'runtime.notes.get'],
      ['SDK client, modern', 'our client'],
      ['our client, each of 1,000', 'raw port, each of 1,000'],
    ],
  };
}

/** A port to a worker that sends back what it gets; answers come in the order of the questions. */
function echoPort(): (message: object) => Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(new URL('./echo.worker.js', import.meta.url), { type: 'module' });
  worker.postMessage('port', [port2]);
  const waiting: ((answer: unknown) => void)[] = [];
  port1.onmessage = ({ data }) => waiting.shift()?.(data);
  return (message) =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port1.postMessage(message);
    });
}
