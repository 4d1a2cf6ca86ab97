// Also for projects that reach this file from outside of the demo.
/// <reference types="vite/client" />
import { trustedUrl } from '../browser/trusted-urls.js';
// oxlint-disable-next-line import/default -- the bundler makes it.
import workerUrl from './age.worker.ts?worker&url';

/** A task for the worker. */
export interface AgeTask {
  isEncryption: boolean;
  /** Whether the file to decrypt is text; see {@link isEncrypted}. */
  isArmored: boolean;
  passphrase: string;
  file: Blob;
}

/** The answer of the worker: a file, or an error whose message is for the user. */
export type AgeAnswer = { file: Blob } | { error: unknown };

/** The beginning of each file of the format, and the line that follows in a file with a passphrase. */
const MAGIC = 'age-encryption.org/v1\n';
const WITH_PASSPHRASE = '-> scrypt ';

/** The beginning of a file in its armored form, which is text: base64 of the same bytes. */
const ARMORED = /^\s*-----BEGIN AGE ENCRYPTED FILE-----\s+([A-Za-z0-9+/]*)/;
/** The number of bytes that is enough for {@link ARMORED}, and for white space before it. */
const START_BYTES = 1024;

/** Whether a file is encrypted, by its beginning: in its binary form, or in its armored form. */
export async function isEncrypted(file: Blob): Promise<boolean> {
  const { isArmored, start } = await readStart(file);
  return isArmored || start.startsWith(MAGIC);
}

/** The beginning of a file, in its binary form. */
async function readStart(file: Blob): Promise<{ isArmored: boolean; start: string }> {
  const start = await file.slice(0, START_BYTES).text();
  const line = ARMORED.exec(start)?.[1];
  if (line === undefined) return { isArmored: false, start };
  return { isArmored: true, start: atob(line.slice(0, line.length - (line.length % 4))) };
}

/** Encrypts a file with a passphrase. */
export async function encrypt(file: Blob, passphrase: string, signal: AbortSignal): Promise<Blob> {
  return await inWorker({ isEncryption: true, isArmored: false, passphrase, file }, signal);
}

/**
 * Decrypts a file completely before it is used, because only its end shows that it is complete.
 *
 * @throws Error, with a message for the user, for another passphrase and for a damaged file.
 */
export async function decrypt(file: Blob, passphrase: string, signal: AbortSignal): Promise<Blob> {
  const { isArmored, start } = await readStart(file);
  if (start.startsWith(MAGIC) && !start.startsWith(MAGIC + WITH_PASSPHRASE))
    throw new Error('This file is encrypted with a key, and not with a passphrase.');
  return await inWorker({ isEncryption: false, isArmored, passphrase, file }, signal);
}

async function inWorker(task: AgeTask, signal: AbortSignal): Promise<Blob> {
  signal.throwIfAborted();
  const worker = new Worker(trustedUrl(workerUrl), { type: 'module' });
  try {
    return await new Promise<Blob>((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<AgeAnswer>) => {
        if ('file' in data) resolve(data.file);
        else reject(data.error);
      });
      worker.addEventListener('error', () => {
        reject(new Error('Encryption could not be loaded. Reload the page, then try again.'));
      });
      signal.addEventListener('abort', () => reject(signal.reason));
      worker.postMessage(task);
    });
  } finally {
    worker.terminate();
  }
}
