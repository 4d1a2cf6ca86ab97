import { ErrorCode, invalidParams, ProtocolError } from '@inpage-mcp/protocol';
import { StoreError } from '@inpage-mcp/store';
import { BLOB_EXTENSION, RANGE_META_KEY } from './contents/binary-extension.js';

/** Errors that leave the server: none carries a stack, a cause or the text of something else. */

/** Whether the store has nothing under this name, or cannot have anything. */
export function isAbsence(error: unknown): boolean {
  const codes: readonly string[] = ['not-found', 'invalid-argument'];
  return error instanceof StoreError && codes.includes(error.code);
}

/** What a client may read of an error: the store's own messages name only what the caller asked for. */
export function describeError(error: unknown): string | undefined {
  return error instanceof StoreError ? error.message : undefined;
}

/** What a connection may do was changed while a request was under way: −32603. */
export function accessChangedError(): ProtocolError {
  return new ProtocolError(
    ErrorCode.InternalError,
    'The access of this connection has changed meanwhile. Look before you try again: what was ' +
      'asked for may or may not have been done.',
  );
}

/** There is no template of this spelling: −32602. */
export function noSuchTemplateError(): ProtocolError {
  return invalidParams('There is no such resource template.');
}

/** The resource exists and does not fit into a message. Sizes in bytes. */
export function tooLargeError(uri: string, size: number, limit: number): ProtocolError {
  return new ProtocolError(
    ErrorCode.InternalError,
    `The resource has ${size} bytes; at most ${limit} are sent inside a message. resources/read ` +
      `gives it in ranges (${RANGE_META_KEY} in _meta), or as a Blob to a client with the ` +
      `extension ${BLOB_EXTENSION}.`,
    { uri, size, limit },
  );
}
