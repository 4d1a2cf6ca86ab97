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
  /** For the user, such as `Claude Desktop`. */
  name: string;
  title?: string | undefined;
  version?: string | undefined;
}

/** An answer: a result or an error. */
export type JsonRpcAnswer = JsonRpcResult | JsonRpcError;

/** The longest name of a host, in UTF-16 code units: it is shown to the user. */
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

/** The `_meta` of a message; empty if it has none. */
export const metaOf = ({
  params,
}: JsonRpcRequest | JsonRpcNotification): {
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
