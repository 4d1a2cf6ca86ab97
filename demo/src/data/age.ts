// Also for projects that reach this file from outside of the demo.
/// <reference types="vite/client" />
import { trustedUrl } from '../session/trusted-urls.js';
// oxlint-disable-next-line import/default -- the bundler makes it.
import workerUrl from './age.worker.ts?worker&url';

/** What the worker is to do. */
export interface AgeTask {
  isEncryption: boolean;
  passphrase: string;
  file: Blob;
}

/** What the worker answers: a file, or an error with words for the user. */
export type AgeAnswer = { file: Blob } | { error: unknown };

/** How each file of the format begins, and one that has a passphrase goes on. */
const MAGIC = 'age-encryption.org/v1\n';
const WITH_PASSPHRASE = `${MAGIC}-> scrypt `;

/** Whether a file is encrypted, from how it begins. */
export async function isEncrypted(file: Blob): Promise<boolean> {
  return (await file.slice(0, MAGIC.length).text()) === MAGIC;
}

/** Encrypts a file with a passphrase. */
export async function encrypt(file: Blob, passphrase: string, signal: AbortSignal): Promise<Blob> {
  return await inWorker({ isEncryption: true, passphrase, file }, signal);
}

/**
 * Decrypts a file, all of it before anything is done with it: only its end shows that it is complete.
 *
 * @throws Error, in words for the user, for another passphrase and for a damaged file.
 */
export async function decrypt(file: Blob, passphrase: string, signal: AbortSignal): Promise<Blob> {
  if ((await file.slice(0, WITH_PASSPHRASE.length).text()) !== WITH_PASSPHRASE)
    throw new Error('This file is encrypted with a key, and not with a passphrase.');
  return await inWorker({ isEncryption: false, passphrase, file }, signal);
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
        reject(new Error('What encrypts could not be loaded. Reload the page, then try again.'));
      });
      signal.addEventListener('abort', () => reject(signal.reason));
      worker.postMessage(task);
    });
  } finally {
    worker.terminate();
  }
}
