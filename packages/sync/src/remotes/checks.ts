import { MAX_NAME_LENGTH, MAX_RECORD_BYTES, RemoteError } from './remote.js';

/** The timeout for the answer of a server, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 60_000;

/** Whether a name may be that of a record or a piece. */
export const isName = (name: string): boolean =>
  name.length <= MAX_NAME_LENGTH && /^[A-Za-z0-9_-]+$/.test(name);

/**
 * Checks a write before a server sees it.
 *
 * @throws RemoteError `invalid`
 */
export function checkWrite(name: string, bytes: Uint8Array | null): void {
  checkName(name);
  if (bytes && bytes.length > MAX_RECORD_BYTES)
    throw new RemoteError('invalid', `${name} has ${bytes.length} of ${MAX_RECORD_BYTES} bytes.`);
}

/**
 * Checks the name of a record or a piece.
 *
 * @throws RemoteError `invalid`
 */
export function checkName(name: string): void {
  if (!isName(name))
    throw new RemoteError('invalid', `${JSON.stringify(name.slice(0, 100))} is not a name.`);
}

/** Settles as the promise does, unless the signal is aborted first: then it rejects with its reason. */
export function abortable<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** The parts of a list, each of at most `size`. */
export function chunks<Value>(values: readonly Value[], size: number): Value[][] {
  const count = Math.ceil(values.length / size);
  return Array.from({ length: count }, (_, index) =>
    values.slice(index * size, (index + 1) * size),
  );
}
