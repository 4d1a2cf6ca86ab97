import type { WorkerSupervisor } from '../supervision/worker-supervisor.js';
import { RuntimeError } from '../worker/runtime-error.js';
import { BridgeSocket } from './bridge-socket.js';
import { desktopError } from './desktop-error.js';
import type { Desktop, DesktopHost, DesktopState, ServeDesktopOptions } from './desktop-types.js';
import { Grants } from './grants.js';
import { prove } from './handshake.js';
import { HostSessions } from './host-sessions.js';
import { usePairings, type Pairing } from './key-store.js';
import { Reconnection } from './reconnection.js';
import { DEFAULT_PORT, MALFORMED, OPENED, SERVING_MS } from './wire.js';

/**
 * Serves desktop apps through a bridge on this computer.
 *
 * @see Runtime.serveDesktop
 */
export async function serveDesktop(
  options: ServeDesktopOptions,
  supervisor: WorkerSupervisor,
): Promise<Desktop> {
  if (!('document' in globalThis))
    throw new RuntimeError('unavailable', 'Only a page can serve desktop apps.');
  const desktop = new ServedDesktop(options, supervisor);
  await desktop.start();
  return desktop;
}

class ServedDesktop implements Desktop {
  /** Stops serving. It is a bound function, because apps pass it on as a callback. */
  readonly stop = (): void => this.#stopping.abort();
  readonly #options: ServeDesktopOptions;
  readonly #port: number;
  readonly #supervisor: WorkerSupervisor;
  readonly #grants: Grants;
  readonly #stopping = new AbortController();
  readonly #ended: AbortSignal;
  readonly #reconnection: Reconnection;
  #state: DesktopState = 'resting';
  #error: RuntimeError | undefined;
  #isPaired = false;
  #socket: BridgeSocket | undefined;
  /** Set while the bridge accepts the page. */
  #sessions: HostSessions | undefined;
  #dialing: Promise<void> | undefined;
  /** Whether the current attempt is for `connect()`: only such an attempt may ask the user. */
  #mayPair = false;

  constructor(options: ServeDesktopOptions, supervisor: WorkerSupervisor) {
    this.#options = { ...options };
    this.#port = options.port ?? DEFAULT_PORT;
    this.#supervisor = supervisor;
    this.#grants = new Grants(options.access);
    const ends = [this.#stopping.signal, supervisor.ended, options.signal ?? []];
    this.#ended = AbortSignal.any(ends.flat());
    this.#ended.throwIfAborted();
    const events = {
      dial: () => this.#redial(),
      onvisible: () => this.#announceVisible(),
      onleave: () => void this.#socket?.close('no-bridge'),
    };
    this.#reconnection = new Reconnection(events, this.#ended);
    this.#ended.addEventListener('abort', () => this.#end());
  }

  /** Connects if the page is paired, without waiting for it. Never rejects. */
  async start(): Promise<void> {
    try {
      if (await this.#readPairing()) this.#redial();
    } catch (error) {
      this.#error = error as RuntimeError;
    }
  }

  get state(): DesktopState {
    return this.#state;
  }

  get hosts(): readonly DesktopHost[] {
    return this.#sessions?.hosts ?? [];
  }

  get isPaired(): boolean {
    return this.#isPaired;
  }

  get error(): RuntimeError | undefined {
    return this.#error;
  }

  async connect(): Promise<void> {
    this.#grants.reset();
    if (!this.#sessions) {
      this.#mayPair = true;
      await this.#dial();
    }
    this.#socket?.send('offer');
  }

  revoke(id: DesktopHost['id']): void {
    this.#sessions?.revoke(id);
  }

  async forget(): Promise<void> {
    try {
      // The pairing is deleted first: a current attempt has then either opened its socket, which is closed
      // below, or finds no key.
      await usePairings('readwrite', (store) => store.delete(this.#port));
    } finally {
      this.#isPaired = false;
      this.#grants.reset(true);
      if (this.#sessions) this.#socket?.send('forget');
      this.#socket?.close('not-paired');
    }
  }

  #redial(): void {
    if (!this.#sessions) this.#dial().catch(() => undefined);
  }

  async #dial(): Promise<void> {
    this.#dialing ??= this.#connect().finally(() => {
      this.#dialing = undefined;
      this.#mayPair = false;
    });
    await this.#dialing;
  }

  async #connect(): Promise<void> {
    this.#reconnection.start();
    let socket: BridgeSocket | undefined;
    try {
      const pairing = await this.#readPairing();
      // This is not an error, because another tab may pair the page later.
      if (!pairing && !this.#mayPair) return;
      if (this.#reconnection.isAway) throw desktopError('no-bridge');
      this.#setState('connecting');
      socket = this.#socket = new BridgeSocket(this.#port);
      await socket.next(OPENED);
      const isKnown = pairing && (await prove(socket, this.#port, pairing));
      if (!isKnown) await this.#pair(socket);
      void this.#serve(socket);
    } catch (cause) {
      const error = cause instanceof RuntimeError ? cause : desktopError('failed', cause);
      socket?.close('failed', error === cause ? 1000 : MALFORMED);
      this.#rest(error);
      throw error;
    }
  }

  /**
   * Reads the pairing of this port.
   *
   * @throws {RuntimeError} `unavailable` or `closed`.
   */
  async #readPairing(): Promise<Pairing | undefined> {
    // An insecure context has no `crypto.subtle`.
    if (!isSecureContext) throw desktopError('unavailable');
    const pairing = await usePairings<Pairing | undefined>('readonly', (store) =>
      store.get(this.#port),
    );
    if (this.#ended.aborted) throw desktopError('closed');
    this.#isPaired = pairing !== undefined;
    return pairing;
  }

  async #pair(socket: BridgeSocket): Promise<void> {
    const { pair: ask } = this.#options;
    if (!ask || !this.#mayPair) throw desktopError('not-paired');
    const { pair } = await import('./pair.js');
    const pairing = await pair(socket, this.#port, (question) => {
      this.#setState('pairing');
      return ask(question);
    });
    await usePairings('readwrite', (store) => store.put(pairing, this.#port));
    this.#isPaired = true;
  }

  /** Handles frames until the connection ends. Never rejects. */
  async #serve(socket: BridgeSocket): Promise<void> {
    const { resourceLinks, onhosts } = this.#options;
    const sessions = new HostSessions(socket, {
      supervisor: this.#supervisor,
      grants: this.#grants,
      resourceLinks,
      onchange() {
        const { hosts } = sessions;
        queueMicrotask(() => onhosts?.(hosts));
      },
    });
    this.#sessions = sessions;
    this.#error = undefined;
    this.#reconnection.succeed();
    socket.wait(SERVING_MS);
    if (!document.hidden) this.#announceVisible();
    this.#setState('waiting');
    try {
      for (;;) {
        const frame = await socket.next();
        const [kind, value] = frame;
        if (kind === 'serve') this.#setState('connected');
        else if (kind === 'ping') socket.send('pong', value);
        else if (kind === 'rest') {
          sessions.endAll();
          this.#setState('waiting');
        } else sessions.handle(frame);
      }
    } catch {
      socket.close('failed', MALFORMED);
      this.#sessions = undefined;
      sessions.endAll();
      this.#rest(socket.ended.reason as RuntimeError);
    }
  }

  #announceVisible(): void {
    if (this.#sessions) this.#socket?.send('visible');
  }

  /** Handles the end of the connection, or the failure of an attempt. */
  #rest(error: RuntimeError): void {
    this.#socket = undefined;
    this.#error = error;
    if (this.#ended.aborted) return;
    if (this.#isPaired) this.#reconnection.plan();
    this.#setState('resting');
  }

  #setState(next: DesktopState): void {
    if (next === this.#state || this.#state === 'stopped') return;
    this.#state = next;
    // The callback runs in a microtask, so that an error of the callback is reported and does not stop this
    // code.
    queueMicrotask(() => this.#options.onstatechange?.(next));
  }

  #end(): void {
    this.#sessions?.endAll();
    this.#socket?.close('closed');
    this.#setState('stopped');
  }
}
