import { connectClient, type ResourceContents } from '@inpage-mcp/client';
import { startRuntime } from '@inpage-mcp/runtime';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { wrap } from 'comlink';
import { FIXED, FIXED_TEXT } from './fixed-text.js';
import { measure, must, pipelined, timed, type Results } from './measure.js';
import { handWritten, portTo, sdkPair } from './peers.js';

const ROUNDS = 25;
const ONE_AFTER_THE_OTHER = 100;
const AT_ONCE = 100;

interface Contents {
  contents: ResourceContents[];
}

/** What a read of something that never changes costs: all of it is protocol. */
export async function run(): Promise<Results> {
  const { uri } = FIXED;
  const rpc = handWritten();
  const comlinked = wrap<{ read(uri: string): { text: string } }>(worker('comlink'));
  const runtime = await startRuntime({ worker: () => worker('fixed-own') });
  const own = await runtime.connect();
  const port = portTo(worker('fixed-protocol'));
  const alone = await connectClient(new MessagePortTransport(port));
  const sdk = await sdkPair();
  const ways: [name: string, read: () => Promise<unknown>][] = [
    ['hand-written', () => rpc('read', uri)],
    ['comlink', () => comlinked.read(uri)],
    ['our client and worker', async () => isFixed(await own.readResource(uri))],
    ['our client, protocol alone', async () => isFixed(await alone.readResource(uri))],
    ['SDK client and worker', async () => isFixed(await sdk.readResource({ uri }))],
  ];
  const candidates = [
    ...ways.map(([name, read]) => timed(name, read, { times: ONE_AFTER_THE_OTHER })),
    ...ways.map(([name, read]) => pipelined(`${name}, each of 100`, read, { times: AT_ONCE })),
  ];
  return {
    name: 'protocol',
    baseline: 'hand-written',
    rows: await measure(candidates, { rounds: ROUNDS }),
    comparisons: [
      ['our client and worker', 'SDK client and worker'],
      ['our client and worker, each of 100', 'hand-written, each of 100'],
      ['our client and worker, each of 100', 'SDK client and worker, each of 100'],
    ],
  };
}

function isFixed({ contents: [first] }: Contents): void {
  must(first !== undefined && 'text' in first && first.text === FIXED_TEXT, 'it reads otherwise');
}

function worker(name: 'comlink' | 'fixed-own' | 'fixed-protocol'): Worker {
  const urls = {
    comlink: new URL('./comlink.worker.js', import.meta.url),
    'fixed-own': new URL('./fixed-own.worker.js', import.meta.url),
    'fixed-protocol': new URL('./fixed-protocol.worker.js', import.meta.url),
  };
  return new Worker(urls[name], { type: 'module' });
}
