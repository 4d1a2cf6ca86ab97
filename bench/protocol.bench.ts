import { connectClient, type ResourceContents } from '@inpage-mcp/client';
import { startRuntime } from '@inpage-mcp/runtime';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { wrap } from 'comlink';
import { InpageServer } from '@inpage-mcp/server';
import { fixed } from './fixed-provider.js';
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
  const toProtocol = portTo(worker('fixed-protocol'));
  const alone = await connectClient(new MessagePortTransport(toProtocol));
  const sdk = await sdkPair();
  const ways: [name: string, read: () => Promise<unknown>][] = [
    ['hand-written', () => rpc('read', uri)],
    ['comlink', () => comlinked.read(uri)],
    ['our client and worker', async () => isFixed(await own.readResource(uri))],
    ['our client, protocol alone', async () => isFixed(await alone.readResource(uri))],
    ['SDK client and worker', async () => isFixed(await sdk.readResource({ uri }))],
  ];
  const { port, answering } = await inOneThread();
  const candidates = [
    ...ways.map(([name, read]) => timed(name, read, { times: ONE_AFTER_THE_OTHER })),
    ...ways.map(([name, read]) => pipelined(`${name}, each of 100`, read, { times: AT_ONCE })),
    pipelined('in one thread, sent back, each of 100', port, { times: AT_ONCE }),
    pipelined('in one thread, our server answers, each of 100', answering, { times: AT_ONCE }),
  ];
  return {
    name: 'protocol',
    baseline: 'hand-written',
    rows: await measure(candidates, { rounds: ROUNDS }),
    comparisons: [
      ['our client and worker', 'SDK client and worker'],
      ['our client and worker, each of 100', 'hand-written, each of 100'],
      ['our client and worker, each of 100', 'SDK client and worker, each of 100'],
      ['in one thread, our server answers, each of 100', 'in one thread, sent back, each of 100'],
    ],
  };
}

/** What the server itself takes of a thread, beside two ports and what they clone. */
async function inOneThread() {
  const port = exchange((far) => {
    far.onmessage = ({ data }) => far.postMessage({ ...FIXED_ANSWER, id: (data as Asked).id });
  });
  const server = await InpageServer.open('protocol-bench', { providers: [fixed], features: [] });
  const answering = exchange((far) => server.servePort(far, { heldBy: 'page' }));
  return { port, answering };
}

interface Asked {
  id: number;
}

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const FIXED_ANSWER = {
  jsonrpc: '2.0',
  result: {
    contents: [{ uri: FIXED.uri, mimeType: FIXED.mimeType, text: FIXED_TEXT }],
    resultType: 'complete',
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'bench', version: '1' } },
  },
};

/** Asks for the resource over a port whose other end is served here, too. */
function exchange(serve: (far: MessagePort) => void): () => Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  serve(port2);
  const waiting = new Map<number, (answer: unknown) => void>();
  let lastId = 0;
  port1.onmessage = ({ data }: MessageEvent<Asked & { result?: unknown }>) => {
    must(data.result !== undefined, 'it is refused');
    waiting.get(data.id)?.(data);
    waiting.delete(data.id);
  };
  return () =>
    new Promise((resolve) => {
      lastId += 1;
      waiting.set(lastId, resolve);
      const params = { uri: FIXED.uri, _meta };
      port1.postMessage({ jsonrpc: '2.0', id: lastId, method: 'resources/read', params });
    });
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
