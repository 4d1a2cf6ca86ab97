import { ErrorCode, invalidParams, ProtocolError } from '@inpage-mcp/protocol';
import { StoreError } from '@inpage-mcp/store';
import { BLOB_EXTENSION, RANGE_META_KEY } from './contents/binary-extension.js';

/** The errors that are sent to clients: without stack, cause or the text of other errors. */

/** The text of an error for a client: messages of the store name only what the caller requested. */
export function describeError(error: unknown): string | undefined {
  return error instanceof StoreError ? error.message : undefined;
}

/** The error −32603: the access of the connection was changed during the request. */
export function accessChangedError(): ProtocolError {
  return new ProtocolError(
    ErrorCode.InternalError,
    'The access of this connection was changed during the request. The request may or may not have ' +
      'been carried out: check before you try again.',
  );
}

/** The error −32602: no template has this spelling. */
export function noSuchTemplateError(): ProtocolError {
  return invalidParams('The resource template does not exist.');
}

/** The error −32603: the resource exists but does not fit into a message. Sizes in bytes. */
export function tooLargeError(uri: string, size: number, limit: number): ProtocolError {
  return new ProtocolError(
    ErrorCode.InternalError,
    `The resource has ${size} bytes; at most ${limit} are sent inside a message. Read it with ` +
      `resources/read in ranges (${RANGE_META_KEY} in _meta), or as a Blob with the client ` +
      `extension ${BLOB_EXTENSION}.`,
    { uri, size, limit },
  );
}
