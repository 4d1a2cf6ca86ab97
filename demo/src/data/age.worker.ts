// Encrypts and decrypts files in the age format (https://age-encryption.org/v1). It runs in a worker because
// each try of a passphrase is made slow on purpose: it takes a second of work and 256 MiB of memory.
import { Decrypter, Encrypter } from 'age-encryption';
import type { AgeAnswer, AgeTask } from './age.js';

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * The size of the parts that are passed to the browser, which keeps them outside of the memory of this
 * script.
 */
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
  // The same passphrase may reach the page in two forms, depending on how a keyboard composes letters.
  encrypter.setPassphrase(passphrase.normalize('NFC'));
  return await gather(await encrypter.encrypt(file.stream()));
}

async function decrypt({ file, isArmored, passphrase }: AgeTask): Promise<Blob> {
  const decrypter = new Decrypter();
  // Other programs use a passphrase as it is typed, composed or not. Each try costs a second.
  const forms = [passphrase.normalize('NFC'), passphrase.normalize('NFD'), passphrase];
  for (const form of new Set(forms)) decrypter.addPassphrase(form);
  try {
    const input = isArmored ? withoutArmor(file.stream()) : file.stream();
    return await gather(await decrypter.decrypt(input));
  } catch (cause) {
    // The library has no types for its errors.
    const isOther = /no identity matched/.test(String(cause));
    const words = isOther
      ? 'This is not the passphrase of this file.'
      : 'The file is damaged or not complete. Nothing was imported.';
    throw new Error(words, { cause });
  }
}

/** Reads a stream to its end. The browser keeps large data on the disk. */
async function gather(stream: ReadableStream<Uint8Array>): Promise<Blob> {
  const parts: Blob[] = [];
  let chunks: Bytes[] = [];
  let bytes = 0;
  const finishPart = (): void => {
    parts.push(new Blob(chunks));
    chunks = [];
    bytes = 0;
  };
  const write = (chunk: Uint8Array): void => {
    chunks.push(chunk as Bytes);
    bytes += chunk.byteLength;
    if (bytes >= PART_BYTES) finishPart();
  };
  await stream.pipeTo(new WritableStream({ write, close: finishPart }));
  return new Blob(parts);
}

function bytesOf(base64: string): Bytes {
  const characters = atob(base64);
  const bytes = new Uint8Array(characters.length);
  // `Uint8Array.from` is not used, because it takes a hundred times as long.
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = characters.charCodeAt(index);
  return bytes;
}

const BEGIN = '-----BEGIN AGE ENCRYPTED FILE-----'.replaceAll(' ', '');
const END = '-----END AGE ENCRYPTED FILE-----'.replaceAll(' ', '');

/** The bytes of a file in its armored form, of any length. */
function withoutArmor(input: ReadableStream<Bytes>): ReadableStream<Bytes> {
  const decoder = new TextDecoder();
  let isBegun = false;
  /** The text that is not decoded yet, without white space. */
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
