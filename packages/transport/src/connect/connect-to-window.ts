import { HANDOVER_VERSION, type Hello } from '../handover/handover-messages.js';
import { HelloSender, type Attempt, type TargetWindow } from './hello-sender.js';
import { checkOrigin } from '../handover/origins.js';
import { OwnLock } from '../liveness/own-lock.js';
import { randomId } from '../handover/random-id.js';
import { TransportError } from '../port/transport-error.js';
import { keepConnection } from './window-connection.js';

const DEFAULT_TIMEOUT_MS = 10_000;
/** More is taken for zero by timers. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

interface ConnectToWindowOptions {
  /** Ends the attempt, which then rejects with the reason; and later the connection. */
  signal?: AbortSignal;
  /** How long to wait for an answer. Default: 10 seconds. */
  timeoutMs?: number;
}

/** How to connect to the window that holds this one. */
export interface ConnectToParentOptions extends ConnectToWindowOptions {
  /** The parent's origin, exactly as `new URL(address).origin` gives it. */
  parentOrigin: string;
}

/** How to connect to a frame of this window. */
export interface ConnectToFrameOptions extends ConnectToWindowOptions {
  /** The frame's origin, exactly as `new URL(address).origin` gives it. */
  origin: string;
}

/**
 * Asks the window that holds this one for a port. The parent answers with `acceptFrames`, whenever
 * it is ready.
 *
 * The port speaks JSON-RPC, is not started, and may be transferred on. It ends with `null` when the
 * parent closes the connection, leaves or dies; listen before anything else is awaited, and use no
 * transferred port where that matters, since only this one hears it.
 *
 * @throws {TransportError} `no-window` where this page is in no frame; `timeout`; `busy` where asking
 *   again later may help; `refused` where it will not.
 * @throws {TypeError} for an origin or a time that is none.
 */
export async function connectToParent({
  parentOrigin,
  ...options
}: ConnectToParentOptions): Promise<MessagePort> {
  const origin = checkOrigin(parentOrigin, 'parentOrigin');
  if (window.parent === window) {
    throw new TransportError('no-window', 'This page is in no frame: it has no parent.');
  }
  return await connectToWindow({ origin, find: () => window.parent }, options);
}

/**
 * Asks a frame for a port. The frame answers with `acceptFrames`, whenever it is ready; it need not
 * be loaded, nor be in the document yet.
 *
 * The port is the same as that of {@link connectToParent}.
 *
 * @throws {TransportError} `timeout`, `busy`, `refused`.
 * @throws {TypeError} for an origin or a time that is none.
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
    throw new TypeError(`timeoutMs: it must be above 0 and at most ${MAX_TIMEOUT_MS}.`);
  }
  signal?.throwIfAborted();
  const lock = target.origin === window.origin ? await OwnLock.hold() : undefined;
  try {
    const welcome = await greet(target, helloWith(lock), timeoutMs, signal);
    keepConnection(welcome.attempt, { heartbeatMs: welcome.heartbeatMs, lock, signal });
    return welcome.attempt.mcpPort;
  } catch (error) {
    lock?.release();
    throw error;
  }
}

function helloWith(lock: OwnLock | undefined): Hello {
  return {
    'inpage-mcp': 'connect',
    version: HANDOVER_VERSION,
    nonce: randomId(),
    // The same for every script of a document, and another for every document.
    document: String(performance.timeOrigin),
    ...(lock && { lock: lock.name }),
  };
}

interface Welcome {
  attempt: Attempt;
  heartbeatMs: number;
}

/** Settles within the time, or with the signal. */
async function greet(
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
      welcomed(attempt, heartbeatMs) {
        settle(attempt);
        resolve({ attempt, heartbeatMs });
      },
      refused: ({ type, reason }) => fail(new TransportError(type, `${target.origin}: ${reason}`)),
    });
  });
}

function timeoutError({ origin }: TargetWindow, timeoutMs: number): TransportError {
  const text =
    `No window of ${origin} answered within ${timeoutMs} ms. There may be a document of another ` +
    `origin in it, or none that accepts frames of ${window.origin}.`;
  return new TransportError('timeout', text);
}
