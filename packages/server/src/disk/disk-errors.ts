import type { ProtocolError } from '@inpage-mcp/protocol';
import type { DiskParts } from '../resources/disk/disk-types.js';

/** The request of the page cannot be fulfilled; the message says why. */
export class MountError extends Error {
  override readonly name = 'MountError';
  readonly code = 'invalid-argument';
}

/** The reason why an existing file or folder cannot be read; `undefined` if the error does not show it. */
export function readingProblem(error: unknown): string | undefined {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError') return 'The user has to allow this folder again.';
  if (name === 'NotReadableError') return 'The file was changed while it was read: read it again.';
  return undefined;
}

/** The error for a client after an error of the browser; `undefined` if it does not show a reason. */
export function readingError(
  error: unknown,
  uri: string,
  { ProtocolError: Failure, internalError }: Pick<DiskParts, 'ProtocolError' | 'internalError'>,
): ProtocolError | undefined {
  const problem = readingProblem(error);
  return problem === undefined ? undefined : new Failure(internalError, problem, { uri });
}
