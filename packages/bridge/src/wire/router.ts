import type { JsonRpcMessage } from '@inpage-mcp/transport';
import type { HostFacts } from './messages.js';

/** A pairing that waits for the user to compare its code. */
export interface PendingPairing {
  /** The code, such as `123 456`. */
  code: string;
  /** The page that wants to be paired. */
  origin: string;
  /** Whether the user has to accept it on the side of the bridge, too. */
  needsAnswer: boolean;
}

/** The state of pages and pairings, as far as the bridge knows it. */
export interface BridgeStatus {
  /** The origin of the page that serves now, if one does. */
  page?: string | undefined;
  /** The pairing that waits. Default: none. */
  pairing?: PendingPairing | undefined;
  /** The reason why this process cannot reach a hub, and the step that helps. Default: it can reach a hub. */
  problem?: string | undefined;
}

/** The events of a session: its connections to pages, and their messages. */
export interface EntryHandlers {
  /** A page serves the session from now on. Messages to earlier pages are lost. */
  onopened(): void;
  /** The page has sent a message. */
  onmessage(message: JsonRpcMessage): void;
  /** The page no longer serves the session. Another page may follow. */
  ongone(): void;
  /** Called when no page will serve the session for now: no page can, or the user has refused the session. */
  onunserved(reason: 'absent' | 'refused'): void;
  /** The page does not read fast enough (`true`), or reads fast enough again. */
  onpressure(isHigh: boolean): void;
}

/** A session that wants to be served by a page. */
export interface Entry {
  /** Sends a message to the page that serves. If no page serves the session, the message is dropped. */
  send(message: JsonRpcMessage): void;
  /** Ends the session. */
  close(): void;
}

/** Connects each session to a page, and later to the next page: in this process, or through the hub. */
export interface PageRouter {
  /** Offers a session to the page that serves, and to each page that serves after it. */
  enter(facts: HostFacts, handlers: EntryHandlers): Entry;
}
