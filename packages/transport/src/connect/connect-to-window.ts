import { HANDOVER_VERSION, type Hello } from '../handover/handover-messages.js';
import { HelloSender, type Attempt, type TargetWindow } from './hello-sender.js';
import { checkOrigin } from '../handover/origins.js';
import { OwnLock } from '../liveness/own-lock.js';
import { randomId } from '../handover/random-id.js';
import { TransportError } from '../port/transport-error.js';
import { monitorConnection } from './window-connection.js';

const DEFAULT_TIMEOUT_MS = 10_000;
/** The maximum delay of a timer: a longer one counts as zero. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

interface ConnectToWindowOptions {
  /** Aborts the attempt, which then rejects with the signal's reason. Later, closes the connection. */
  signal?: AbortSignal | undefined;
  /** The timeout for an answer. Default: 10 seconds. */
  timeoutMs?: number | undefined;
}

/** Options for connecting to the parent of this window. */
export interface ConnectToParentOptions extends ConnectToWindowOptions {
  /**
   * The parent's origin, exactly as `new URL(address).origin` returns it, or as `event.origin` names a
   * webview: `tauri://localhost`.
   */
  parentOrigin: string;
}

/** Options for connecting to a frame of this window. */
export interface ConnectToFrameOptions extends ConnectToWindowOptions {
  /**
   * The frame's origin, exactly as `new URL(address).origin` returns it, or as `event.origin` names a
   * webview.
   */
  origin: string;
}

/**
 * Asks the parent of this window for a port. The parent answers by `acceptFrames`, as soon as it is
 * ready.
 *
 * The port carries JSON-RPC, is not started, and may be transferred. It ends with `null` when the
 * parent closes the connection, navigates away or dies. Listen before you await anything else. A
 * transferred port does not receive this `null`; only the port returned here does.
 *
 * @throws {TransportError} `no-window` if this page is not in a frame; `timeout`; `busy` if a later
 *   attempt may succeed; `refused` if none will.
 * @throws {TypeError} for an invalid origin or timeout.
 */
export async function connectToParent({
  parentOrigin,
  ...options
}: ConnectToParentOptions): Promise<MessagePort> {
  const origin = checkOrigin(parentOrigin, 'parentOrigin');
  if (window.parent === window) {
    throw new TransportError('no-window', 'This page has no parent: it is not in a frame.');
  }
  return await connectToWindow({ origin, find: () => window.parent }, options);
}

/**
 * Asks a frame for a port. The frame answers by `acceptFrames`, as soon as it is ready; it need not
 * be loaded or in the document yet.
 *
 * The port behaves like that of {@link connectToParent}.
 *
 * @throws {TransportError} `timeout`, `busy`, `refused`.
 * @throws {TypeError} for an invalid origin or timeout.
 */
export async function connectToFrame(
  iframe: HTMLIFrameElement,
  { origin, ...options }: ConnectToFrameOptions,
): Promise<MessagePort> {
  const target: TargetWindow = {
    origin: checkOrigin(origin, 'origin'),
    find: () => iframe.contentWindow,
    onload: (listener, signal) => iframe.addEventListener('load', listener, { signal }),
  };
  return await connectToWindow(target, options);
}

async function connectToWindow(
  target: TargetWindow,
  { signal, timeoutMs = DEFAULT_TIMEOUT_MS }: ConnectToWindowOptions,
): Promise<MessagePort> {
  if (!(timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS)) {
    throw new TypeError(`timeoutMs must be above 0 and at most ${MAX_TIMEOUT_MS}.`);
  }
  signal?.throwIfAborted();
  const lock = target.origin === window.origin ? await OwnLock.tryAcquire() : undefined;
  try {
    const welcome = await waitForWelcome(target, createHello(lock), timeoutMs, signal);
    monitorConnection(welcome.attempt, { heartbeatMs: welcome.heartbeatMs, lock, signal });
    return welcome.attempt.mcpPort;
  } catch (error) {
    lock?.release();
    throw error;
  }
}

function createHello(lock: OwnLock | undefined): Hello {
  return {
    'inpage-mcp': 'connect',
    version: HANDOVER_VERSION,
    nonce: randomId(),
    // All scripts of a document have the same value, and each document has another one.
    document: String(performance.timeOrigin),
    ...(lock && { lock: lock.name }),
  };
}

interface Welcome {
  attempt: Attempt;
  heartbeatMs: number;
}

/** Settles before the timeout, or when the signal aborts. */
async function waitForWelcome(
  target: TargetWindow,
  hello: Hello,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Welcome> {
  signal?.throwIfAborted();
  return await new Promise((resolve, reject) => {
    const settle = (used?: Attempt): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      sender.stop(used);
    };
    const fail = (error: unknown): void => {
      settle();
      reject(error);
    };
    const abort = (): void => fail(signal?.reason);
    signal?.addEventListener('abort', abort);
    const timer = setTimeout(() => fail(timeoutError(target, timeoutMs)), timeoutMs);
    const sender = new HelloSender(target, hello, {
      onWelcome(attempt, heartbeatMs) {
        settle(attempt);
        resolve({ attempt, heartbeatMs });
      },
      onRefusal: ({ type, reason }) =>
        fail(new TransportError(type, `${target.origin}: ${reason}`)),
    });
  });
}

function timeoutError({ origin }: TargetWindow, timeoutMs: number): TransportError {
  const text =
    `No window of ${origin} answered within ${timeoutMs} ms. It may show a document of another ` +
    `origin, or one that does not accept ${window.origin}.`;
  return new TransportError('timeout', text);
}
