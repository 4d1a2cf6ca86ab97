import type { RuntimeError } from '../worker/runtime-error.js';
import { openSocket, type BridgeSocket } from './bridge-socket.js';
import { fromBase64url, joinBytes, randomBytes, toBase64url } from './bytes.js';
import { failWith } from './desktop-error.js';
import type { Desktop, DesktopState, ServeDesktopOptions } from './desktop-types.js';
import { createGrants } from './grants.js';
import { prove } from './handshake.js';
import { createHostSessions, type DesktopParts, type HostSessions } from './host-sessions.js';
import { usePairings, type Pairing } from './key-store.js';
import { nameIn } from './names.js';
import { sign, verify } from './proofs.js';
import { createReconnection } from './reconnection.js';
import { DEFAULT_PORT, MALFORMED, OPENED, SERVING_MS } from './wire.js';

/**
 * Serves desktop apps through a bridge on this computer.
 *
 * @see Runtime.serveDesktop
 */
export async function serveDesktop(
  {
    port = DEFAULT_PORT,
    access,
    pair: ask,
    onstatechange,
    onhosts,
    signal,
    resourceLinks,
  }: ServeDesktopOptions,
  parts: DesktopParts,
): Promise<Desktop> {
  const { RuntimeError, supervisor } = parts;
  const fail = failWith(RuntimeError);
  const grants = createGrants(access, parts);
  const stopping = new AbortController();
  const ended = AbortSignal.any([stopping.signal, supervisor.ended, signal ?? []].flat());
  ended.throwIfAborted();
  let state: DesktopState = 'resting';
  let lastError: RuntimeError | undefined;
  let isPaired = false;
  let socket: BridgeSocket | undefined;
  /** Set while the bridge accepts the page. */
  let sessions: HostSessions | undefined;
  let dialing: Promise<void> | undefined;
  /** Whether the current attempt is for `connect()`: only such an attempt may ask the user. */
  let mayPair = false;

  const setState = (next: DesktopState): void => {
    if (next === state || state === 'stopped') return;
    state = next;
    // In a microtask, so that an error of the callback is reported and does not stop this code.
    queueMicrotask(() => onstatechange?.(next));
  };

  /** The connection has ended, or the attempt has failed. */
  const rest = (error: RuntimeError): void => {
    socket = undefined;
    lastError = error;
    if (ended.aborted) return;
    if (isPaired) reconnection.plan();
    setState('resting');
  };

  /** @throws {RuntimeError} `unavailable` or `closed`. */
  const readPairing = async (): Promise<Pairing | undefined> => {
    // An insecure context has no `crypto.subtle`.
    if (!isSecureContext) throw fail('unavailable');
    const pairing = await usePairings<Pairing | undefined>(fail, 'readonly', (store) =>
      store.get(port),
    );
    if (ended.aborted) throw fail('closed');
    isPaired = pairing !== undefined;
    return pairing;
  };

  const pair = async (by: BridgeSocket): Promise<void> => {
    if (!ask || !mayPair) throw fail('not-paired');
    const module = await import('./pair.js');
    const askUser: typeof ask = (question) => {
      setState('pairing');
      return ask(question);
    };
    const pairing = await module.pair(by, port, askUser, [
      fromBase64url,
      joinBytes,
      nameIn,
      randomBytes,
      sign,
      toBase64url,
      verify,
      RuntimeError,
    ]);
    await usePairings(fail, 'readwrite', (store) => store.put(pairing, port));
    isPaired = true;
  };

  const announceVisible = (): void => {
    if (sessions) socket?.send('visible');
  };

  /** Handles frames until the connection ends. Never rejects. */
  const serve = async (by: BridgeSocket): Promise<void> => {
    const onchange = (): void => {
      const hosts = served.hosts();
      queueMicrotask(() => onhosts?.(hosts));
    };
    const served = createHostSessions({ ...parts, socket: by, grants, resourceLinks, onchange });
    sessions = served;
    lastError = undefined;
    reconnection.succeed();
    by.wait(SERVING_MS);
    if (!document.hidden) announceVisible();
    setState('waiting');
    try {
      for (;;) {
        const frame = await by.next();
        const [kind, value] = frame;
        if (kind === 'serve') setState('connected');
        else if (kind === 'ping') by.send('pong', value);
        else if (kind === 'rest') {
          served.endAll();
          setState('waiting');
        } else served.handle(frame);
      }
    } catch {
      by.close('failed', MALFORMED);
      sessions = undefined;
      served.endAll();
      rest(by.ended.reason as RuntimeError);
    }
  };

  const connect = async (): Promise<void> => {
    reconnection.start();
    try {
      const pairing = await readPairing();
      // No error: another tab may pair the page later.
      if (!pairing && !mayPair) return;
      if (reconnection.isAway()) throw fail('no-bridge');
      setState('connecting');
      socket = openSocket(port, fail);
      await socket.next(OPENED);
      const isKnown = pairing && (await prove(socket, port, pairing));
      if (!isKnown) await pair(socket);
      void serve(socket);
    } catch (cause) {
      const error = cause instanceof RuntimeError ? cause : fail('failed', cause);
      socket?.close('failed', error === cause ? 1000 : MALFORMED);
      rest(error);
      throw error;
    }
  };
  const dial = async (): Promise<void> => {
    dialing ??= connect().finally(() => {
      dialing = undefined;
      mayPair = false;
    });
    await dialing;
  };
  const redial = (): void => void (sessions || dial().catch(() => undefined));

  const reconnection = createReconnection(
    { dial: redial, onvisible: announceVisible, onleave: () => socket?.close('no-bridge') },
    ended,
  );
  const end = (): void => {
    sessions?.endAll();
    socket?.close('closed');
    setState('stopped');
  };
  ended.addEventListener('abort', end);

  try {
    if (await readPairing()) redial();
  } catch (error) {
    lastError = error as RuntimeError;
  }
  return {
    get state() {
      return state;
    },
    get hosts() {
      return sessions?.hosts() ?? [];
    },
    get isPaired() {
      return isPaired;
    },
    get error() {
      return lastError;
    },
    async connect() {
      grants.reset();
      if (!sessions) {
        mayPair = true;
        await dial();
      }
      socket?.send('offer');
    },
    revoke: (id) => sessions?.revoke(id),
    async forget() {
      try {
        // First: then a current attempt has either opened its socket, which is closed below, or finds no key.
        await usePairings(fail, 'readwrite', (store) => store.delete(port));
      } finally {
        isPaired = false;
        grants.reset(true);
        if (sessions) socket?.send('forget');
        socket?.close('not-paired');
      }
    },
    stop: () => stopping.abort(),
  };
}
