import { blobOf, bytesOf, type ResourceContents } from '@inpage-mcp/client';
import { startRuntime } from '@inpage-mcp/runtime';
import { measure, must, timed, type Results } from './measure.js';
import { connectSdkClient } from './sdk-client.js';

const ROUNDS = 15;
const SIZE_BYTES = 10_000_000;

/** What a large file costs as base64 in a message, above handing its bytes over. */
export async function run(): Promise<Results> {
  const transferred = transferringWorker();
  const runtime = await startRuntime();
  const bytes = await transferred();
  await runtime.files.write('large.bin', new Blob([bytes], { type: 'application/octet-stream' }));
  const uri = 'file:///large.bin';
  const own = await runtime.connect();
  const taking = await runtime.connect({ blobs: true });
  const modern = await connectSdkClient(runtime, 'auto');

  const candidates = [
    timed('transferred ArrayBuffer', async () => sizeIsRight((await transferred()).byteLength)),
    timed('runtime.files.read, its Blob read', async () => {
      const { blob } = await runtime.files.read('large.bin');
      sizeIsRight((await blob.arrayBuffer()).byteLength);
    }),
    timed('our client, undecoded', () => own.readResource(uri)),
    timed('our client, decoded by bytesOf', async () => decodes(await own.readResource(uri))),
    timed('our client with blobs, unread', async () => {
      const { contents } = await taking.readResource(uri);
      sizeIsRight(blobOf(contents[0]!).size);
    }),
    timed('our client with blobs, its Blob read', async () => {
      const { contents } = await taking.readResource(uri);
      sizeIsRight((await blobOf(contents[0]!).arrayBuffer()).byteLength);
    }),
    timed('SDK client, modern, decoded by bytesOf', async () =>
      decodes(await modern.readResource({ uri })),
    ),
  ];
  return {
    name: 'binary',
    baseline: 'transferred ArrayBuffer',
    rows: await measure(candidates, { rounds: ROUNDS }),
  };
}

function decodes({ contents: [first] }: { contents: ResourceContents[] }): void {
  sizeIsRight(first ? bytesOf(first).length : 0);
}

function sizeIsRight(sizeBytes: number): void {
  must(sizeBytes === SIZE_BYTES, `${sizeBytes} bytes came`);
}

/** Asks a worker for random bytes; it hands over a copy of the same ones each time. */
function transferringWorker(): () => Promise<ArrayBuffer> {
  const worker = new Worker(new URL('./bytes.worker.js', import.meta.url), { type: 'module' });
  return () =>
    new Promise((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => resolve(data);
      worker.postMessage(SIZE_BYTES);
    });
}
