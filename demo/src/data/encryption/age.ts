// Also for projects that reach this file from outside of the demo.
/// <reference types="vite/client" />
import { trustedUrl } from '../../session/trusted-urls.js';
// oxlint-disable-next-line import/default -- the bundler makes it.
import workerUrl from './age.worker.ts?worker&url';
import { receiveStream, sendStream } from './stream-port.js';

type Bytes = Uint8Array<ArrayBuffer>;

/** What the worker is to do. */
export interface AgeTask {
  isEncryption: boolean;
  /** Whether what is to be decrypted is text; see {@link isEncrypted}. */
  isArmored: boolean;
  passphrase: string;
  source: MessagePort;
  result: MessagePort;
}

/** How each file of the format begins, and one that has a passphrase goes on. */
const MAGIC = 'age-encryption.org/v1\n';
const WITH_PASSPHRASE = '-> scrypt ';

/** How a file begins in its armored form, which is text: base64 of the same bytes. */
const ARMORED = /^\s*-----BEGIN AGE ENCRYPTED FILE-----\s+([A-Za-z0-9+/]*)/;
/** Enough for {@link ARMORED}, and for white space before it. */
const START_BYTES = 1024;

/** How much is handed to the browser at a time, which keeps it outside of the page's memory. */
const PART_BYTES = 4 * 2 ** 20;

/** Whether a file is encrypted, from how it begins: in its binary form, or in its armored one. */
export async function isEncrypted(file: Blob): Promise<boolean> {
  const { isArmored, start } = await readStart(file);
  return isArmored || start.startsWith(MAGIC);
}

/** How a file begins, in its binary form. */
async function readStart(file: Blob): Promise<{ isArmored: boolean; start: string }> {
  const start = await file.slice(0, START_BYTES).text();
  const line = ARMORED.exec(start)?.[1];
  if (line === undefined) return { isArmored: false, start };
  return { isArmored: true, start: atob(line.slice(0, line.length - (line.length % 4))) };
}

/** Encrypts a stream with a passphrase. Of a file of any size a few chunks are in memory at a time. */
export function encrypt(source: ReadableStream<Bytes>, passphrase: string): ReadableStream<Bytes> {
  return inWorker(source, { isEncryption: true, isArmored: false, passphrase });
}

/**
 * Decrypts a file, all of it before anything is done with it: only its end shows that it is complete.
 * The browser keeps what is large on the disk.
 *
 * @throws Error, in words for the user, for another passphrase and for a damaged file.
 */
export async function decrypt(
  file: Blob,
  passphrase: string,
  options: { onProgress: (done: number, total: number) => void; signal: AbortSignal },
): Promise<Blob> {
  const { isArmored, start } = await readStart(file);
  if (start.startsWith(MAGIC) && !start.startsWith(MAGIC + WITH_PASSPHRASE))
    throw new Error('This file is encrypted with a key, and not with a passphrase.');
  const source = file.stream() as ReadableStream<Bytes>;
  const parts: Blob[] = [];
  let done = 0;
  let chunks: Bytes[] = [];
  let chunkBytes = 0;
  const gather = (): void => {
    parts.push(new Blob(chunks));
    chunks = [];
    chunkBytes = 0;
  };
  const sink = new WritableStream<Bytes>({
    write: (chunk) => {
      chunks.push(chunk);
      chunkBytes += chunk.byteLength;
      if (chunkBytes >= PART_BYTES) gather();
      options.onProgress((done += chunk.byteLength), file.size);
    },
    close: gather,
  });
  const { signal } = options;
  await inWorker(source, { isEncryption: false, isArmored, passphrase }).pipeTo(sink, { signal });
  return new Blob(parts);
}

function inWorker(
  source: ReadableStream<Bytes>,
  given: Omit<AgeTask, 'source' | 'result'>,
): ReadableStream<Bytes> {
  const worker = new Worker(trustedUrl(workerUrl), { type: 'module' });
  const [input, output] = [new MessageChannel(), new MessageChannel()];
  const cancelSource = sendStream(source, input.port1);
  const ports = { source: input.port2, result: output.port2 };
  const task: AgeTask = { ...given, ...ports };
  worker.postMessage(task, [ports.source, ports.result]);
  const reader = receiveStream(output.port1).getReader();
  const failure = new Promise<never>((_, reject) => {
    const message = 'What encrypts could not be loaded. Reload the page, then try again.';
    worker.addEventListener('error', () => reject(new Error(message)));
  });
  // `pull` rejects with it, if it is called at all.
  failure.catch(() => undefined);
  return new ReadableStream<Bytes>({
    pull: async (controller) => {
      try {
        const { done, value } = await Promise.race([reader.read(), failure]);
        if (!done) return controller.enqueue(value);
        controller.close();
      } catch (error) {
        controller.error(error);
        await cancelSource();
      }
      worker.terminate();
    },
    cancel: async () => {
      // It cannot pass that on any more.
      worker.terminate();
      await cancelSource();
    },
  });
}
