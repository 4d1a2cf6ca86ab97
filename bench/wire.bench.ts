import { connectClient, type McpClient } from '@inpage-mcp/client';
import '@inpage-mcp/elements/define/mcp-wire';
import { WireRecorder } from '@inpage-mcp/elements/wire-recorder';
import { startRuntime } from '@inpage-mcp/runtime';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { measure, must, pipelined, timed, type Results } from './measure.js';

const ROUNDS = 41;
const ONE_AFTER_THE_OTHER = 50;
const AT_ONCE = 1_000;

/** What it costs a client that its messages are recorded for `<mcp-wire>`. */
export async function run(): Promise<Results> {
  const runtime = await startRuntime();
  const { id } = await runtime.notes.create({ title: 'Note', text: 'A small note.' });
  const uri = `note:///${id}`;
  const plainTransport = new MessagePortTransport(await runtime.openPort());
  const recorder = new WireRecorder();
  const transport = new MessagePortTransport(await runtime.openPort());
  const plain = await connectClient(plainTransport);
  const recorded = await connectClient(recorder.wrap(transport));
  const shown = await connectShown(new MessagePortTransport(await runtime.openPort()));
  const read = (client: McpClient) => async () => {
    const { contents } = await client.readResource(uri);
    must(contents.length === 1, 'the note has no contents');
  };

  const rows = await measure(
    [
      timed('read', read(plain), { times: ONE_AFTER_THE_OTHER }),
      timed('read, recorded', read(recorded), { times: ONE_AFTER_THE_OTHER }),
      timed('read, recorded and shown', read(shown), { times: ONE_AFTER_THE_OTHER }),
      pipelined('read, each of 1,000', read(plain), { times: AT_ONCE }),
      pipelined('read, recorded, each of 1,000', read(recorded), { times: AT_ONCE }),
    ],
    { rounds: ROUNDS },
  );
  must(recorder.total > AT_ONCE, 'nothing was recorded');
  return {
    name: 'wire',
    baseline: 'read',
    rows,
    comparisons: [
      ['read, recorded', 'read'],
      ['read, recorded and shown', 'read'],
      ['read, recorded, each of 1,000', 'read, each of 1,000'],
    ],
    remarks: [`Recording takes ${perMessage().toFixed(2)} µs for each request with its answer.`],
  };
}

/** A client whose messages `<mcp-wire>` shows. */
async function connectShown(transport: MessagePortTransport): Promise<McpClient> {
  const element = document.createElement('mcp-wire');
  element.recorder = new WireRecorder();
  document.body.append(element);
  return await connectClient(element.recorder.wrap(transport));
}

/** What the recorder does for one request and its answer, in microseconds, without a port. */
function perMessage(): number {
  const times = 50_000;
  const inner = new MessagePortTransport(new MessageChannel().port1);
  inner.send = () => Promise.resolve();
  const transport = new WireRecorder().wrap(inner);
  const start = performance.now();
  for (let id = 0; id < times; id += 1) {
    void transport.send({ jsonrpc: '2.0', id, method: 'ping' });
    inner.onmessage?.({ jsonrpc: '2.0', id, result: {} });
  }
  return ((performance.now() - start) / times) * 1_000;
}
