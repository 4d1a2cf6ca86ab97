import { isBusy } from './is-busy.js';
import { discovery } from '../results/answer-shapes.js';
import { ClientError, lostError, McpError } from '../api/client-error.js';
import { PendingWaits } from './pending-waits.js';
import { PROTOCOL_VERSION, type DiscoverResult } from '../api/protocol-types.js';
import type { Params, Result } from '@inpage-mcp/protocol/types';
import { RpcConnection, type ClientTransport } from './rpc-connection.js';

/**
 * Creates a transport to the server, not started yet: for the first connection, and again each time
 * the connection has ended without `client.close()`.
 *
 * If it throws or rejects, for example with the `code` `busy` or `timeout`, the attempt has failed,
 * and the client retries. If the error has the `code` `closed`, `refused`, `worker-failed`,
 * `worker-outdated`, `unsupported`, `invalid-argument` or `no-window`, a retry cannot succeed, and the
 * client is closed for good.
 *
 * @param signal Aborts when the transport is no longer needed: the client was closed, or the attempt
 *   has timed out. It does not abort later. A transport that is created after that is closed.
 */
export type OpenTransport = (signal: AbortSignal) => ClientTransport | Promise<ClientTransport>;

/** A connection, and the capabilities of its server. */
export interface OpenedConnection {
  connection: RpcConnection;
  discovered: DiscoverResult;
}

export const DISCOVERY_TIMEOUT_TEXT = 'The server did not answer server/discover';

const PERMANENT_CODES: unknown[] = [
  'closed',
  'refused',
  'worker-failed',
  'worker-outdated',
  'unsupported',
  'invalid-argument',
  'no-window',
];

/**
 * Opens a transport and discovers the server's capabilities (`server/discover`).
 *
 * @param meta The `_meta` in the params of every request of the connection.
 * @throws The error of `open`; `connection-lost`, `timeout`, `unsupported`; an `McpError`.
 */
export function openConnection(
  open: OpenTransport,
  meta: Params,
  limits: { signal: AbortSignal; timeoutMs: number },
): Promise<OpenedConnection> {
  const options = { ...limits, timeoutText: DISCOVERY_TIMEOUT_TEXT };
  return new PendingWaits().waitFor((signal) => attempt(open, meta, signal), options);
}

/** Whether a retry cannot succeed: see {@link OpenTransport}, or the server has rejected the request. */
export function isPermanent(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  // A `TypeError` reports a mistake of the program, such as an invalid origin.
  const isRejected = error instanceof McpError && !isBusy(error);
  const isPermanentType = isRejected || error instanceof TypeError;
  return isPermanentType || PERMANENT_CODES.includes(code);
}

async function attempt(
  open: OpenTransport,
  meta: Params,
  signal: AbortSignal,
): Promise<OpenedConnection> {
  const transport = await open(signal);
  const connection = new RpcConnection(transport, meta);
  const close = (): void => void connection.close().catch(() => undefined);
  if (signal.aborted) close();
  signal.addEventListener('abort', close);
  try {
    await transport.start();
    const discovered = await connection.call('server/discover', {}).result;
    return { connection, discovered: checkDiscovered(discovered) };
  } catch (error) {
    const isLost = connection.isClosed;
    close();
    // Not `closed`: only `open` may report that, and it ends the client.
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
