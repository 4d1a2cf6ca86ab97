import type { DiscoverResult } from '../api/protocol-types.js';
import type { RequestOptions } from '../api/request-options.js';
import type { Params, Result } from '@inpage-mcp/protocol/types';
import type { ClientState, StateListeners } from './client-state.js';
import type { WaitOptions } from './pending-waits.js';
import type { Call, OnProgress } from './rpc-connection.js';

/** Limits of a request, and the listener for its progress. */
export interface RpcOptions extends RequestOptions {
  /** Milliseconds with all questions to the user, if the connection itself asks them. */
  totalTimeoutMs?: number | undefined;
  onprogress?: OnProgress | undefined;
}

/** An open connection, as far as subscriptions use it. */
export interface OpenConnection {
  readonly isClosed: boolean;
  /** Sends a request that has no timeout. */
  call(method: string, params: Params): Call;
}

/** The part of a connection that a client needs: one transport after another, or a client of the SDK. */
export interface ClientConnection {
  /** Called with each notification, except progress. */
  onnotification: ((method: string, params: Params) => void) | undefined;
  /** Resolves when the connection has ended for good. */
  readonly closed: Promise<void>;
  readonly isClosed: boolean;
  readonly state: ClientState;
  /** Notified of each new {@link state}. */
  readonly stateListeners: StateListeners;
  /** The capabilities of the server. */
  readonly discovered: DiscoverResult;
  /** Resolves with the current connection, as soon as it is open; rejects with `closed`. */
  whenOpen(): Promise<OpenConnection>;
  /** Sends a request and resolves with its result. */
  request(method: string, params: Params, options?: RpcOptions): Promise<Result>;
  /** Waits for a promise that is not an answer of the server, by the same rules. */
  waitFor<Value>(run: () => Promise<Value>, options: WaitOptions): Promise<Value>;
  /** Ends the connection for good; pending requests reject with `closed`. */
  close(): Promise<void>;
}
