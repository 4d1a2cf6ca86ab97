import type { JsonRpcMessage, RequestId } from '@inpage-mcp/transport';
import type { Params, Result } from '@inpage-mcp/protocol/types';
import { McpError } from '../api/client-error.js';
import type { ClientTransport } from '../connection/rpc-connection.js';
import { object, text } from '../results/checks.js';

/** Answers a request of the host. Its error becomes the error of the answer. */
export type RequestHandler = (params: Params) => Result | Promise<Result>;

const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;

/** The prefix of the names of the extension's notifications. */
const HOST_NOTIFICATION = 'ui/notifications/';

/**
 * JSON-RPC by `postMessage` with the parent window. An app cannot know its origin before the host answers,
 * because every host has another origin, or an opaque one. Messages of other windows are ignored.
 */
export class HostTransport implements ClientTransport {
  onmessage: ((message: JsonRpcMessage) => void) | undefined;
  onclose: (() => void) | undefined;
  /** Called with each notification of the extension: `tool-input` for `ui/notifications/tool-input`. */
  onhostnotification: ((name: string, params: Params) => void) | undefined;

  readonly #host: Window;
  /**
   * The origin of the host, after its first message. Before, `ui/initialize` is sent to any origin; it only
   * names the app.
   */
  #origin = '*';
  readonly #handlers: ReadonlyMap<string, RequestHandler>;

  /** @param handlers The handlers by method. Other requests are rejected. */
  constructor(host: Window, handlers: ReadonlyMap<string, RequestHandler>) {
    this.#host = host;
    this.#handlers = handlers;
  }

  async start(): Promise<void> {
    addEventListener('message', this.#receive);
  }

  async send(message: JsonRpcMessage): Promise<void> {
    this.#host.postMessage(withoutEmptyMeta(message), this.#origin);
  }

  /** Sends a notification. Does nothing if it cannot be sent. */
  notify(method: string, params: Params): void {
    void this.send({ jsonrpc: '2.0', method, params }).catch(() => undefined);
  }

  async close(): Promise<void> {
    removeEventListener('message', this.#receive);
    this.onclose?.();
  }

  readonly #receive = ({ source, origin, data }: MessageEvent<unknown>): void => {
    if (source !== this.#host || !isMessage(data)) return;
    // A host in a sandbox has an opaque origin, which cannot be named.
    if (origin !== 'null') this.#origin = origin;
    if (!('method' in data)) return this.onmessage?.(data);
    const { method, params = {} } = data;
    if ('id' in data) void this.#answer(data.id, method, params);
    else if (!method.startsWith(HOST_NOTIFICATION)) this.onmessage?.(data);
    else this.onhostnotification?.(method.slice(HOST_NOTIFICATION.length), params);
  };

  async #answer(id: RequestId, method: string, params: Params): Promise<void> {
    const handle = this.#handlers.get(method);
    try {
      if (!handle) throw new McpError(METHOD_NOT_FOUND, `This app does not know ${method}.`);
      await this.send({ jsonrpc: '2.0', id, result: await handle(params) });
    } catch (error) {
      const code = error instanceof McpError ? error.code : INTERNAL_ERROR;
      const message = messageOf(error);
      await this.send({ jsonrpc: '2.0', id, error: { code, message } });
    }
  }
}

/** The text of any value that was thrown. */
export const messageOf = (error: unknown): string =>
  String((error as Error | undefined)?.message ?? error);

/** Whether this is a message of JSON-RPC, of the shape that the rest of this package relies on. */
function isMessage(value: unknown): value is JsonRpcMessage {
  const message = object(value) as { [name: string]: unknown } | undefined;
  if (message?.['jsonrpc'] !== '2.0') return false;
  const { id, method, params, result, error } = message;
  const hasId = text(id) !== undefined || Number.isFinite(id);
  if ('method' in message)
    return text(method) !== undefined && isOptional(params) && (hasId || !('id' in message));
  const { code, message: why } = (object(error) ?? {}) as { [name: string]: unknown };
  return hasId && (object(result) !== undefined || (Number.isFinite(code) && text(why) === why));
}

/** The message without an empty `_meta`, which requests of the extension do not have in its schema. */
function withoutEmptyMeta(message: JsonRpcMessage): JsonRpcMessage {
  if (!('params' in message) || Object.keys(message.params?.['_meta'] ?? {}).length > 0)
    return message;
  const { _meta, ...params } = message.params ?? {};
  return { ...message, params };
}

const isOptional = (params: unknown): boolean =>
  params === undefined || object(params) !== undefined;
