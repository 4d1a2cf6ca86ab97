// Encrypts and decrypts files in the age format (https://age-encryption.org/v1). In a worker, as a
// passphrase is made slow to try: a second of work and 256 MiB of memory.
import { Decrypter, Encrypter } from 'age-encryption';
import type { AgeTask } from './age.js';
import { receiveStream, sendStream } from './stream-port.js';

type Bytes = Uint8Array<ArrayBuffer>;

self.addEventListener('message', ({ data }: MessageEvent<AgeTask>) => {
  const { isEncryption, isArmored, passphrase, source, result } = data;
  const input = receiveStream(source);
  const output = new TransformStream<Bytes, Bytes>();
  sendStream(output.readable, result);
  const work = isEncryption
    ? encrypt(input, passphrase)
    : decrypt(isArmored ? withoutArmor(input) : input, passphrase);
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
  // The same phrase may reach the page in two ways, as keyboards compose letters.
  encrypter.setPassphrase(passphrase.normalize('NFC'));
  return (await encrypter.encrypt(input)) as ReadableStream<Bytes>;
}

async function decrypt(
  input: ReadableStream<Bytes>,
  passphrase: string,
): Promise<ReadableStream<Bytes>> {
  const decrypter = new Decrypter();
  // Other programs take a phrase as it comes, composed or not. Each costs a second.
  const forms = [passphrase.normalize('NFC'), passphrase.normalize('NFD'), passphrase];
  for (const form of new Set(forms)) decrypter.addPassphrase(form);
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

function bytesOf(base64: string): Bytes {
  const characters = atob(base64);
  const bytes = new Uint8Array(characters.length);
  // Not Uint8Array.from, which takes a hundred times as long.
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = characters.charCodeAt(index);
  return bytes;
}

const BEGIN = '-----BEGIN AGE ENCRYPTED FILE-----'.replaceAll(' ', '');
const END = '-----END AGE ENCRYPTED FILE-----'.replaceAll(' ', '');

/** The bytes of a file in its armored form, of any length. */
function withoutArmor(input: ReadableStream<Bytes>): ReadableStream<Bytes> {
  const decoder = new TextDecoder();
  let isBegun = false;
  /** What is not decoded yet, without white space. */
  let rest = '';
  const decoding = new TransformStream<Bytes, Bytes>({
    transform(chunk, controller) {
      rest += decoder.decode(chunk).replaceAll(/\s/g, '');
      if (!isBegun) {
        if (rest.length < BEGIN.length) return;
        rest = rest.slice(BEGIN.length);
        isBegun = true;
      }
      const end = rest.indexOf('-');
      const base64 =
        end === -1 ? rest.slice(0, rest.length - (rest.length % 4)) : rest.slice(0, end);
      rest = rest.slice(base64.length);
      if (base64 !== '') controller.enqueue(bytesOf(base64));
    },
    flush() {
      if (rest !== END) throw new Error('The armored file has no end.');
    },
  });
  return input.pipeThrough(decoding);
}

const damaged = (cause: unknown): Error =>
  new Error('The file is damaged or not complete. Nothing was brought in.', { cause });
