// Encrypts and decrypts files in the age format (https://age-encryption.org/v1). In a worker, as a
// passphrase is made slow to try: a second of work and 256 MiB of memory.
import { Decrypter, Encrypter } from 'age-encryption';
import type { AgeTask } from './age.js';
import { receiveStream, sendStream } from './stream-port.js';

type Bytes = Uint8Array<ArrayBuffer>;

self.addEventListener('message', ({ data }: MessageEvent<AgeTask>) => {
  const { isEncryption, passphrase, source, result } = data;
  const input = receiveStream(source);
  const output = new TransformStream<Bytes, Bytes>();
  sendStream(output.readable, result);
  const work = isEncryption ? encrypt(input, passphrase) : decrypt(input, passphrase);
  // The reason reaches the page through the stream.
  work
    .then((stream) => stream.pipeTo(output.writable))
    .catch((error: unknown) => {
      void output.writable.abort(error).catch(() => undefined);
    });
});

async function encrypt(
  input: ReadableStream<Bytes>,
  passphrase: string,
): Promise<ReadableStream<Bytes>> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  return (await encrypter.encrypt(input)) as ReadableStream<Bytes>;
}

async function decrypt(
  input: ReadableStream<Bytes>,
  passphrase: string,
): Promise<ReadableStream<Bytes>> {
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  const output = await decrypter.decrypt(input).catch((error: unknown) => {
    // The library has no types of errors.
    if (/no identity matched/.test(String(error)))
      throw new Error('This is not the passphrase of this file.', { cause: error });
    throw damaged(error);
  });
  const reader = output.getReader() as ReadableStreamDefaultReader<Bytes>;
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw damaged(error);
      });
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

const damaged = (cause: unknown): Error =>
  new Error('The file is damaged or not complete. Nothing was brought in.', { cause });
