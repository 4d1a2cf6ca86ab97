import type {
  JsonRpcError,
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResult,
  RequestId,
} from '@inpage-mcp/transport';
import { META } from '@inpage-mcp/protocol';
import { isObject } from './frames.js';

/** The facts that a host reports about itself, and the name that the user has given it. */
export interface HostFacts {
  /** The name for the user, such as `Claude Desktop`. */
  name: string;
  title?: string | undefined;
  version?: string | undefined;
}

/** An answer: a result or an error. */
export type JsonRpcAnswer = JsonRpcResult | JsonRpcError;

/** The maximum length of a URI that an error repeats, in UTF-16 code units: the error is to be short. */
const MAX_REPEATED_URI_LENGTH = 2_000;

/** The maximum length of a host's name, in UTF-16 code units: it is shown to the user. */
const MAX_NAME_LENGTH = 200;

export const isRequest = (message: JsonRpcMessage): message is JsonRpcRequest =>
  'method' in message && 'id' in message && message.id !== undefined;

export const isNotification = (message: JsonRpcMessage): message is JsonRpcNotification =>
  'method' in message && !isRequest(message);

export const isAnswer = (message: JsonRpcMessage): message is JsonRpcAnswer =>
  !('method' in message);

/** A notification, with or without parameters. */
export const notification = (
  method: string,
  params?: JsonRpcNotification['params'],
): JsonRpcNotification => ({ jsonrpc: '2.0', method, ...(params && { params }) });

/** An answer with an error. */
export const errorAnswer = (id: RequestId, error: JsonRpcError['error']): JsonRpcError => ({
  jsonrpc: '2.0',
  id,
  error,
});

/** The answer to a request that is nested too deep, or too long, to be passed to the page. */
export const cannotBePassed = ({ id }: JsonRpcRequest): JsonRpcError =>
  errorAnswer(id, { code: -32_600, message: 'The request is nested too deep, or too long.' });

/** A message is longer than its receiver accepts. */
export class TooLongError extends RangeError {
  override readonly name = 'TooLongError';
  /** The size of the message, and the largest one that the receiver accepts, in bytes. */
  readonly size: number;
  readonly limit: number;

  constructor(size: number, limit: number) {
    super('The message is too long.');
    this.size = size;
    this.limit = limit;
  }
}

/** The answer that replaces one that is nested too deep for `JSON.stringify`. */
export const cannotBeWritten = (id: RequestId): JsonRpcError =>
  errorAnswer(id, { code: -32_603, message: 'The answer of the page cannot be written.' });

/**
 * The answer that replaces one that cannot be sent to the host, because it is nested too deep or too long.
 */
export function cannotBeSent({ id, method, params }: JsonRpcRequest, error: unknown): JsonRpcError {
  if (!(error instanceof TooLongError)) return cannotBeWritten(id);
  const { size, limit } = error;
  const uri = params?.['uri'];
  const isShown = typeof uri === 'string' && uri.length <= MAX_REPEATED_URI_LENGTH;
  return errorAnswer(id, {
    code: -32_603,
    message:
      `The answer has ${size} bytes; at most ${limit} are sent to this program. ` +
      `Request less at a time: a resource in ranges (${RANGE_META_KEY} in _meta of resources/read).`,
    data: { reason: 'too-long', method, ...(isShown && { uri }), size, limit },
  });
}

/** The key with which a page of inpage-mcp is asked for a range of a resource. */
const RANGE_META_KEY = 'io.github.inpage-mcp/range';

/** The `_meta` of a message; empty if it has none. */
export const metaOf = ({
  params,
}: Pick<JsonRpcNotification, 'params'>): {
  readonly [key: string]: unknown;
} => (isObject(params?.['_meta']) ? params['_meta'] : {});

/**
 * The facts that a request reports about its host: the `clientInfo` of `initialize`, or of its `_meta`.
 *
 * @param name The name that the user has given the host. Default: the name that the host reports.
 */
export function hostFactsOf(message: JsonRpcMessage, name?: string): HostFacts {
  const info = isRequest(message)
    ? (message.params?.['clientInfo'] ?? metaOf(message)[META.clientInfo])
    : undefined;
  const facts = isObject(info) ? info : {};
  const text = (key: string): string | undefined =>
    typeof facts[key] === 'string' ? facts[key].slice(0, MAX_NAME_LENGTH) : undefined;
  const title = text('title');
  const version = text('version');
  return {
    name: name ?? (text('name') || 'An MCP client'),
    ...(title !== undefined && { title }),
    ...(version !== undefined && { version }),
  };
}

/** Reads the facts of a host from a frame. */
export function parseHostFacts(value: unknown): HostFacts | undefined {
  if (!isObject(value) || typeof value['name'] !== 'string') return undefined;
  const { name, title, version } = value;
  return {
    name: name.slice(0, MAX_NAME_LENGTH),
    ...(typeof title === 'string' && { title: title.slice(0, MAX_NAME_LENGTH) }),
    ...(typeof version === 'string' && { version: version.slice(0, MAX_NAME_LENGTH) }),
  };
}
