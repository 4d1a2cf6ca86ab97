import type { Access } from '@inpage-mcp/server/control-plane';
import type { RuntimeError } from '../worker/runtime-error.js';

/**
 * The state of the connection to the bridge.
 *
 * - `resting`: not connected. With a pairing, the page tries again later.
 * - `connecting`: the page connects, or both sides prove who they are.
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
   * The name of the app, in one line of at most 100 characters. The bridge reports it, and nothing
   * ensures that it is true: any program that can start the bridge can use any name.
   */
  readonly name: string;
  /** The version that the app reports. */
  readonly version?: string | undefined;
  /** Aborts when the answer is no longer needed: the app or the bridge has disconnected. */
  readonly signal: AbortSignal;
}

/** A desktop app that is connected to the server. */
export interface DesktopHost {
  /** The id of the app among those that are connected now, for `revoke`. */
  readonly id: number;
  /** The name of the app; see `DesktopRequest`. */
  readonly name: string;
  /** The version that the app reports. */
  readonly version?: string | undefined;
  /** The number of the connection in the activity log: `connection` of an `ActivityEntry`. */
  readonly connection: number;
  /** The access of the app. */
  readonly access: Access;
}

/** The question to the user before the page and the bridge are paired. */
export interface PairingQuestion {
  /**
   * The code of six digits, such as `123 456`. The bridge shows the same code, so that the user can compare
   * them.
   */
  readonly code: string;
  /** The desktop app that waits, as the bridge names it; empty if the bridge names none. */
  readonly host: string;
  /** Aborts when the answer is no longer needed: the bridge has disconnected, or five minutes have passed. */
  readonly signal: AbortSignal;
}

/** Options for serving desktop apps. */
export interface ServeDesktopOptions {
  /** The port of the bridge on this computer. Default: 21707. */
  port?: number | undefined;
  /**
   * The access of a desktop app, or a function that returns it; `undefined` refuses the app. The page
   * remembers the answer for the name of the app. It calls the function again only for another name;
   * after `connect()`, for an app that was refused or revoked; and after `forget()`. If the function
   * throws, the app is refused, and the error is reported. Absent members default to `read: 'all'`,
   * `write: 'deny'`, `tools: 'none'`.
   */
  access: Access | ((request: DesktopRequest) => Access | undefined | Promise<Access | undefined>);
  /**
   * Asks the user to compare the code; called only during `connect()`. Any value except `true` refuses
   * the pairing. Default: the page cannot be paired.
   */
  pair?: ((question: PairingQuestion) => boolean | Promise<boolean>) | undefined;
  /** Called after each change of the state. */
  onstatechange?: ((state: DesktopState) => void) | undefined;
  /** Called with the connected apps after each change. */
  onhosts?: ((hosts: readonly DesktopHost[]) => void) | undefined;
  /** Whether tool results link to the written resource. Default: true. */
  resourceLinks?: boolean | undefined;
  /** Stops serving, as `stop()` does. */
  signal?: AbortSignal | undefined;
}

/** The page's connection to the bridge, and through it to the desktop apps of the user. */
export interface Desktop {
  /** The current state. */
  readonly state: DesktopState;
  /** The desktop apps that are connected now. */
  readonly hosts: readonly DesktopHost[];
  /**
   * Whether this browser keeps a pairing for this page and port. The page reads it at the start, and at
   * each attempt to connect.
   */
  readonly isPaired: boolean;
  /**
   * The reason why the last attempt failed, or the last connection was lost; absent while the page is
   * connected.
   */
  readonly error: RuntimeError | undefined;
  /**
   * Connects now. Without a pairing, or if the bridge does not know it, `pair` asks the user. Apps
   * that were refused or revoked may request access again. Resolves when the bridge has accepted the
   * page: the state is then `waiting` or `connected`.
   *
   * @throws {RuntimeError} `no-bridge`, `wrong-bridge`, `not-paired`, `busy` or `refused`; `failed` if
   *   the page does not understand the bridge; `unavailable` if the browser gives the page no storage
   *   or no cryptography; `closed` if it was stopped.
   */
  connect(): Promise<void>;
  /**
   * Ends the access of an app at once: closes all connections of apps with its name. The app may
   * request access again after `connect()`. Does nothing if no app has this id.
   */
  revoke(host: DesktopHost['id']): void;
  /**
   * Deletes the pairing on both sides, and closes every connection. The state is then `resting` until
   * `connect()`. If the bridge is not connected, only the page deletes the pairing.
   *
   * @throws {RuntimeError} `unavailable` if the browser does not delete the key.
   */
  forget(): Promise<void>;
  /** Closes every connection permanently. Further calls of `stop()` do nothing. */
  stop(): void;
}
