import type { Access } from '@inpage-mcp/server/control-plane';
import type { WorkerSupervisor } from '../supervision/worker-supervisor.js';
import { isWorkerGone } from '../worker/runtime-error.js';
import type { BridgeSocket, Frame } from './bridge-socket.js';
import type { DesktopHost } from './desktop-types.js';
import type { Grants } from './grants.js';
import { nameIn } from './names.js';
import { INTERNAL_ERROR, MAX_SESSIONS } from './wire.js';

/** The parts that the sessions of all connections to the bridge need. */
export interface SessionParts {
  supervisor: WorkerSupervisor;
  grants: Grants;
  resourceLinks: boolean | undefined;
  /** Called when an app has connected or disconnected. */
  onchange: () => void;
}

/** A session of a desktop app, from the offer of the bridge until either side closes it. */
interface Session {
  readonly name: string;
  readonly version: string | undefined;
  readonly ending: AbortController;
  /** The app; set while the worker serves the session. */
  host?: DesktopHost;
  port?: MessagePort;
}

/** The sessions of one connection to the bridge, each with a separate port to the worker. */
export class HostSessions {
  readonly #socket: BridgeSocket;
  readonly #parts: SessionParts;
  /** The sessions by the numbers that the bridge has chosen. */
  readonly #sessions = new Map<number, Session>();

  constructor(socket: BridgeSocket, parts: SessionParts) {
    this.#socket = socket;
    this.#parts = parts;
  }

  /** The apps that are served, in the order in which the bridge offered them. */
  get hosts(): readonly DesktopHost[] {
    return [...this.#sessions.values()].flatMap(({ host }) => host ?? []);
  }

  /**
   * Handles a frame about a session; ignores any other.
   *
   * @throws {TypeError} if the frame is malformed.
   */
  handle([kind, number, value]: Frame): void {
    if (kind !== 'open' && kind !== 'm' && kind !== 'close') return;
    if (typeof number !== 'number') throw new TypeError();
    if (kind === 'close') return this.#end(number);
    if (Object(value) !== value) throw new TypeError();
    if (kind === 'open') return void this.#open(number, value as object);
    try {
      this.#sessions.get(number)?.port?.postMessage(value);
    } catch {
      // The message is nested too deep for a structured clone.
      this.#end(number, 'close');
    }
  }

  /** Ends every session. Does not notify the bridge, which knows this already. */
  endAll(): void {
    for (const number of this.#sessions.keys()) this.#end(number);
  }

  /** Ends every session of the app at once, and refuses the app from now on. */
  revoke(id: number): void {
    const revoked = this.#sessions.get(id)?.name;
    if (revoked === undefined) return;
    this.#parts.grants.refuse(revoked);
    for (const [number, { name }] of this.#sessions)
      if (name === revoked) this.#end(number, 'revoked');
  }

  async #open(number: number, offer: { name?: unknown; version?: unknown }): Promise<void> {
    const name = nameIn(offer.name) || 'Unnamed app';
    const version = nameIn(offer.version) || undefined;
    const ending = new AbortController();
    const session = { name, version, ending };
    const isFull = this.#sessions.size >= MAX_SESSIONS;
    // A correct bridge never uses a number twice.
    this.#end(number, 'close');
    this.#sessions.set(number, session);
    if (isFull) return this.#end(number, 'refused', 'busy');
    const access = await this.#parts.grants.decide({ name, version, signal: ending.signal });
    if (!access) return this.#end(number, 'refused', 'refused');
    try {
      await this.#serve(number, session, access);
    } catch (error) {
      const isGone = isWorkerGone(error);
      if (!isGone) reportError(error);
      this.#end(number, 'refused', isGone ? 'failed' : 'refused');
    }
  }

  /** Serves a session. Rejects if the worker refuses the access, or has ended. */
  async #serve(number: number, session: Session, access: Access): Promise<void> {
    const { supervisor, resourceLinks, onchange } = this.#parts;
    const { name, version, ending } = session;
    const { port, served } = await supervisor.runWithRetry(async (server) => {
      const { port1, port2 } = new MessageChannel();
      const options = {
        access,
        limits: 'guest' as const,
        // The prefix ensures that no app can use an origin as its name.
        holder: `desktop:${name}`,
        name,
        resourceLinks,
      };
      return { port: port1, served: await server.servePort(port2, options) };
    });
    const { signal } = ending;
    if (signal.aborted) return served.close();
    signal.addEventListener('abort', () => void served.close());
    const close = (): void => this.#end(number, 'close');
    void served.ended.then(close);
    session.host = { id: number, name, version, connection: served.number, access };
    session.port = port;
    port.onmessage = ({ data }) => (data === null ? close() : this.#send(number, data));
    this.#socket.send('opened', number);
    onchange();
  }

  #send(number: number, message: { id?: unknown; method?: unknown }): void {
    // The port may deliver messages after the session has ended.
    if (!this.#sessions.has(number)) return;
    try {
      this.#socket.send('m', number, message);
    } catch {
      const { id, method } = message;
      if (id === undefined || method !== undefined) return;
      const error = { code: INTERNAL_ERROR, message: 'The answer is too long.' };
      this.#socket.send('m', number, { jsonrpc: '2.0', id, error });
    }
  }

  /**
   * Ends a session, if it has not ended.
   *
   * @param kind The kind of the frame that notifies the bridge; absent if the bridge knows it already.
   */
  #end(number: number, kind?: string, ...reason: string[]): void {
    const { ending, port } = this.#sessions.get(number) ?? {};
    this.#sessions.delete(number);
    if (ending && kind) this.#socket.send(kind, number, ...reason);
    ending?.abort();
    if (!port) return;
    port.postMessage(null);
    port.close();
    this.#parts.onchange();
  }
}
