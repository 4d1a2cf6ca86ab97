import { discovery } from '../results/answer-shapes.js';
import { ClientError, lostError, McpError } from '../api/client-error.js';
import { Outstanding } from './outstanding.js';
import { PROTOCOL_VERSION, type DiscoverResult } from '../api/protocol-types.js';
import type { Params, Result } from '@inpage-mcp/protocol/types';
import { RpcConnection, type ClientTransport } from './rpc-connection.js';

/**
 * Makes a transport, not yet started, to the server: for the first connection, and again each time
 * that the connection has ended without `client.close()`.
 *
 * What it throws or rejects with counts as a failed attempt, and it is called again, such as for
 * the `code` `busy` or `timeout`, unless the error has the `code` `closed`, `refused`,
 * `worker-failed`, `unsupported` or `invalid-argument`: then there is nothing to connect to, and the
 * client is closed for good.
 *
 * @param signal Aborts when the transport is not wanted any more: the client was closed, or the
 *   time of the attempt is up. It does not abort later. A transport that comes too late is closed.
 */
export type OpenTransport = (signal: AbortSignal) => ClientTransport | Promise<ClientTransport>;

/** A connection, and what the server at its other end can do. */
export interface Introduction {
  connection: RpcConnection;
  discovered: DiscoverResult;
}

export const UNDISCOVERED = 'The server did not answer server/discover';

const FINAL_CODES: unknown[] = [
  'closed',
  'refused',
  'worker-failed',
  'unsupported',
  'invalid-argument',
  'no-window',
];

/**
 * Opens a transport and asks the server what it can do (`server/discover`).
 *
 * @param meta Goes as `_meta` into the params of every request of the connection.
 * @throws What `open` throws; `connection-lost`, `timeout`, `unsupported`; an `McpError`.
 */
export function introduce(
  open: OpenTransport,
  meta: Params,
  limits: { signal: AbortSignal; timeoutMs: number },
): Promise<Introduction> {
  const late = UNDISCOVERED;
  return new Outstanding().during((over) => attempt(open, meta, over), { ...limits, late });
}

/** Whether there is no use in trying again: see {@link OpenTransport}, or the server has spoken. */
export function isFinal(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  // A `TypeError` is how a mistake of the program is told, such as an origin that is none.
  const isSpoken = error instanceof McpError || error instanceof TypeError;
  return isSpoken || FINAL_CODES.includes(code);
}

async function attempt(
  open: OpenTransport,
  meta: Params,
  over: AbortSignal,
): Promise<Introduction> {
  const transport = await open(over);
  const connection = new RpcConnection(transport, meta);
  const close = (): void => void connection.close().catch(() => undefined);
  if (over.aborted) close();
  over.addEventListener('abort', close);
  try {
    await transport.start();
    const discovered = await connection.call('server/discover', {}).result;
    return { connection, discovered: checkDiscovered(discovered) };
  } catch (error) {
    const isLost = connection.isClosed;
    close();
    // Not `closed`, which is for `open` to say.
    throw isLost ? lostError('server/discover') : error;
  }
}

function checkDiscovered(result: Result): DiscoverResult {
  const discovered = discovery(result) as DiscoverResult | undefined;
  if (!discovered?.supportedVersions.includes(PROTOCOL_VERSION)) {
    throw new ClientError('unsupported', `The server does not speak MCP ${PROTOCOL_VERSION}.`);
  }
  return discovered;
}
