import type { Access } from '@inpage-mcp/server/control-plane';
import type { RuntimeError } from '../worker/runtime-error.js';

/**
 * The state of the connection to the bridge.
 *
 * - `resting`: there is no connection. If there is a pairing, the page tries again later.
 * - `connecting`: the page dials, or both sides prove who they are.
 * - `pairing`: the user compares the code.
 * - `waiting`: connected, and another tab of the page serves the desktop apps.
 * - `connected`: this tab serves the desktop apps.
 * - `stopped`: ended by `stop()`, or with the runtime.
 */
export type DesktopState =
  'resting' | 'connecting' | 'pairing' | 'waiting' | 'connected' | 'stopped';

/** A desktop app that wants to connect. */
export interface DesktopRequest {
  /**
   * What the app calls itself, in one line of at most 100 characters. The bridge reports it, and
   * nothing ensures that it is true: any program of the user that can start the bridge can use any
   * name.
   */
  readonly name: string;
  /** The version that the app reports. */
  readonly version?: string | undefined;
  /** Aborts when the answer is no longer needed: the app or the bridge has ended. */
  readonly signal: AbortSignal;
}

/** A desktop app that is connected to the server. */
export interface DesktopHost {
  /** Identifies the app among those that are connected now, for `revoke`. */
  readonly id: number;
  /** What the app calls itself; see `DesktopRequest`. */
  readonly name: string;
  /** The version that the app reports. */
  readonly version?: string | undefined;
  /** Its number in the activity log: `connection` of an `ActivityEntry`. */
  readonly connection: number;
  /** What it may do. */
  readonly access: Access;
}

/** The question to the user before the page and the bridge are paired. */
export interface PairingQuestion {
  /** Six digits, such as `123 456`. The bridge shows the same code: the user compares them. */
  readonly code: string;
  /** The desktop app that waits, as the bridge names it; empty if the bridge names none. */
  readonly host: string;
  /**
   * Aborts when the answer is no longer needed: the bridge has gone, or five minutes have passed.
   */
  readonly signal: AbortSignal;
}

/** How to serve desktop apps. */
export interface ServeDesktopOptions {
  /** The port of the bridge on this computer. Default: 41707. */
  port?: number | undefined;
  /**
   * The access of a desktop app, or a function that returns it; `undefined` refuses the app. The
   * answer is kept by the name of the app: the function is called again only for another name, and
   * after `connect()` for an app that was refused or revoked. If the function throws, the app is
   * refused, and the error is reported. Absent members default to `read: 'all'`, `write: 'deny'`,
   * `tools: 'none'`.
   */
  access: Access | ((request: DesktopRequest) => Access | undefined | Promise<Access | undefined>);
  /**
   * Asks the user to compare the code, during `connect()` only. Anything but `true` is a no.
   * Default: no, so that nothing is paired.
   */
  pair?: ((question: PairingQuestion) => boolean | Promise<boolean>) | undefined;
  /** Called after each change of the state. */
  onstatechange?: ((state: DesktopState) => void) | undefined;
  /** Called with the connected apps after each change. */
  onhosts?: ((hosts: readonly DesktopHost[]) => void) | undefined;
  /** Whether tool results link to the written resource. Default: true. */
  resourceLinks?: boolean | undefined;
  /** Stops it, as `stop()` does. */
  signal?: AbortSignal | undefined;
}

/** The page's connection to the bridge, and by it to the desktop apps of the user. */
export interface Desktop {
  /** The current state. */
  readonly state: DesktopState;
  /** The desktop apps that are connected now. */
  readonly hosts: readonly DesktopHost[];
  /**
   * Whether this browser keeps a pairing for this page and port, as far as it was read: at the
   * start, and at each attempt to connect.
   */
  readonly isPaired: boolean;
  /** Why the last attempt failed, or the last connection was lost; absent while it is connected. */
  readonly error: RuntimeError | undefined;
  /**
   * Connects now. If there is no pairing, or the bridge does not know it, the user is asked by
   * `pair`. Apps that were refused or revoked may ask again. Resolves when the bridge has accepted
   * the page: the state is then `waiting` or `connected`.
   *
   * @throws {RuntimeError} `no-bridge`, `wrong-bridge`, `not-paired`, `busy` or `refused`; `failed`
   *   if the bridge is not understood; `unavailable` if the browser gives the page no storage or no cryptography;
   *   `closed` if it was stopped.
   */
  connect(): Promise<void>;
  /**
   * Ends the access of an app at once: all its connections, also others with the same name. The app
   * may ask again after `connect()`. Does nothing if there is no such app.
   */
  revoke(host: DesktopHost['id']): void;
  /**
   * Ends the pairing on both sides, and every connection. The state is then `resting` until
   * `connect()`. If the bridge is not connected, only the page forgets.
   *
   * @throws {RuntimeError} `unavailable` if the browser does not delete the key.
   */
  forget(): Promise<void>;
  /** Ends every connection for good. Further calls do nothing. */
  stop(): void;
}
