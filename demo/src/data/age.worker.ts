// Encrypts and decrypts files in the age format (https://age-encryption.org/v1). In a worker, as a
// passphrase is made slow to try: a second of work and 256 MiB of memory.
import { Decrypter, Encrypter } from 'age-encryption';
import type { AgeAnswer, AgeTask } from './age.js';

/** How much is handed to the browser at a time, which keeps it outside of the memory of this script. */
const PART_BYTES = 4 * 2 ** 20;

self.addEventListener('message', async ({ data }: MessageEvent<AgeTask>) => {
  const result = data.isEncryption ? encrypt(data) : decrypt(data);
  const answer: AgeAnswer = await result.then(
    (file) => ({ file }),
    (error: unknown) => ({ error }),
  );
  self.postMessage(answer);
});

async function encrypt({ file, passphrase }: AgeTask): Promise<Blob> {
  const encrypter = new Encrypter();
  // The same phrase may reach the page in two ways, as keyboards compose letters.
  encrypter.setPassphrase(passphrase.normalize('NFC'));
  return await gather(await encrypter.encrypt(file.stream()));
}

async function decrypt({ file, passphrase }: AgeTask): Promise<Blob> {
  const decrypter = new Decrypter();
  // Other programs take a phrase as it comes, composed or not. Each costs a second.
  const forms = [passphrase.normalize('NFC'), passphrase.normalize('NFD'), passphrase];
  for (const form of new Set(forms)) decrypter.addPassphrase(form);
  try {
    return await gather(await decrypter.decrypt(file.stream()));
  } catch (cause) {
    // The library has no types of errors.
    const isOther = /no identity matched/.test(String(cause));
    const words = isOther
      ? 'This is not the passphrase of this file.'
      : 'The file is damaged or not complete. Nothing was brought in.';
    throw new Error(words, { cause });
  }
}

/** Reads a stream to its end. The browser keeps what is large on the disk. */
async function gather(stream: ReadableStream<Uint8Array>): Promise<Blob> {
  const parts: Blob[] = [];
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const finishPart = (): void => {
    parts.push(new Blob(chunks));
    chunks = [];
    bytes = 0;
  };
  const write = (chunk: Uint8Array): void => {
    chunks.push(chunk as Uint8Array<ArrayBuffer>);
    bytes += chunk.byteLength;
    if (bytes >= PART_BYTES) finishPart();
  };
  await stream.pipeTo(new WritableStream({ write, close: finishPart }));
  return new Blob(parts);
}
