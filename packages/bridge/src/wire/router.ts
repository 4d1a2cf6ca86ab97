import type { JsonRpcMessage } from '@inpage-mcp/transport';
import type { HostFacts } from './messages.js';

/** A pairing that waits for people to compare its code. */
export interface PendingPairing {
  /** The code, such as `123 456`. */
  code: string;
  /** The page that wants to be paired. */
  origin: string;
  /** Whether somebody on the bridge's side has to accept it, too. */
  needsAnswer: boolean;
}

/** What the bridge knows of pages. */
export interface BridgeStatus {
  /** The origin of the page that serves now, if one does. */
  page?: string | undefined;
  /** The pairing that waits. Default: none. */
  pairing?: PendingPairing | undefined;
  /** Why this process finds no way to pages, and what to do. Default: nothing is wrong. */
  problem?: string | undefined;
}

/** What happens to a session on its way to a page. */
export interface EntryHandlers {
  /** A page serves the session from now on. Messages to earlier pages are lost. */
  onopened(): void;
  /** The page has sent a message. */
  onmessage(message: JsonRpcMessage): void;
  /** The page serves the session no more. Another may follow. */
  ongone(): void;
  /** For now no page will serve the session: none is there, or the user has refused it. */
  onunserved(reason: 'absent' | 'refused'): void;
  /** The page does not read fast enough (`true`), or does again. */
  onpressure(isHigh: boolean): void;
}

/** A session that wants to be served by a page. */
export interface Entry {
  /** Sends a message to the page that serves; without one it is dropped. */
  send(message: JsonRpcMessage): void;
  /** Ends the session. */
  close(): void;
}

/** Finds a page for each session, again and again: in this process, or in the hub. */
export interface PageRouter {
  /** Offers a session to the page that serves, and to those that come after it. */
  enter(facts: HostFacts, handlers: EntryHandlers): Entry;
}
