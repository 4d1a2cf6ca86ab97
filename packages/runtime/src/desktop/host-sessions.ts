import type { Access } from '@inpage-mcp/server/control-plane';
import type { AccessParts } from '../access/guest-access.js';
import type { WorkerSupervisor } from '../supervision/worker-supervisor.js';
import type { isWorkerGone } from '../worker/runtime-error.js';
import type { BridgeSocket, Frame } from './bridge-socket.js';
import type { DesktopHost } from './desktop-types.js';
import type { Grants } from './grants.js';
import { nameIn } from './names.js';
import { INTERNAL_ERROR, MAX_SESSIONS } from './wire.js';

/** The modules that the page has loaded before: see `ServingParts`. */
export interface DesktopParts extends AccessParts {
  supervisor: WorkerSupervisor;
  isWorkerGone: typeof isWorkerGone;
}

/** The parts that all sessions of a connection to the bridge need. */
export interface SessionParts extends DesktopParts {
  socket: BridgeSocket;
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
  /** Set while the worker serves the session. */
  host?: DesktopHost;
  port?: MessagePort;
}

/** The sessions of one connection to the bridge, each with a port of its own to the worker. */
export interface HostSessions {
  /** The apps that are served, in the order in which the bridge offered them. */
  hosts(): readonly DesktopHost[];
  /**
   * Handles a frame about a session; ignores any other.
   *
   * @throws {TypeError} if the frame is malformed.
   */
  handle(frame: Frame): void;
  /** Ends every session. Does not notify the bridge, which knows. */
  endAll(): void;
  /** Ends every session of the app at once, and refuses the app from now on. */
  revoke(id: number): void;
}

/** Creates the sessions of a new connection: there are none yet. */
export function createHostSessions({
  socket,
  grants,
  supervisor,
  isWorkerGone,
  resourceLinks,
  onchange,
}: SessionParts): HostSessions {
  /** The sessions by the numbers that the bridge has chosen. */
  const sessions = new Map<number, Session>();

  /**
   * Ends a session, if it has not ended.
   *
   * @param kind Of the frame that notifies the bridge; absent if the bridge knows.
   */
  const end = (number: number, kind?: string, ...reason: string[]): void => {
    const { ending, port } = sessions.get(number) ?? {};
    sessions.delete(number);
    if (ending && kind) socket.send(kind, number, ...reason);
    ending?.abort();
    if (!port) return;
    port.postMessage(null);
    port.close();
    onchange();
  };

  /** Rejects if the worker refuses the access, or has ended. */
  const serve = async (number: number, session: Session, access: Access): Promise<void> => {
    const { name, version, ending } = session;
    const { port, served } = await supervisor.runWithRetry(async (server) => {
      const { port1, port2 } = new MessageChannel();
      const options = {
        access,
        limits: 'guest' as const,
        // The prefix ensures that no app can use an origin as its name.
        holder: `desktop:${name}`,
        resourceLinks,
      };
      return { port: port1, served: await server.servePort(port2, options) };
    });
    const { signal } = ending;
    if (signal.aborted) return served.close();
    signal.addEventListener('abort', () => void served.close());
    const close = (): void => end(number, 'close');
    void served.ended.then(close);
    session.host = { id: number, name, version, connection: served.number, access };
    session.port = port;
    port.onmessage = ({ data }) => (data === null ? close() : send(number, data));
    socket.send('opened', number);
    onchange();
  };

  const open = async (
    number: number,
    offer: { name?: unknown; version?: unknown },
  ): Promise<void> => {
    const name = nameIn(offer.name) || 'Unnamed app';
    const version = nameIn(offer.version) || undefined;
    const ending = new AbortController();
    const session = { name, version, ending };
    const isFull = sessions.size >= MAX_SESSIONS;
    // A correct bridge never uses a number twice.
    end(number, 'close');
    sessions.set(number, session);
    if (isFull) return end(number, 'refused', 'busy');
    const access = await grants.decide({ name, version, signal: ending.signal });
    if (!access) return end(number, 'refused', 'refused');
    try {
      await serve(number, session, access);
    } catch (error) {
      const isGone = isWorkerGone(error);
      if (!isGone) reportError(error);
      end(number, 'refused', isGone ? 'failed' : 'refused');
    }
  };

  const send = (number: number, message: { id?: unknown; method?: unknown }): void => {
    // The port may deliver messages after the session has ended.
    if (!sessions.has(number)) return;
    try {
      socket.send('m', number, message);
    } catch {
      const { id, method } = message;
      if (id === undefined || method !== undefined) return;
      const error = { code: INTERNAL_ERROR, message: 'The answer is too long.' };
      socket.send('m', number, { jsonrpc: '2.0', id, error });
    }
  };

  return {
    hosts: () => [...sessions.values()].flatMap(({ host }) => host ?? []),
    endAll() {
      for (const number of sessions.keys()) end(number);
    },
    revoke(id) {
      const revoked = sessions.get(id)?.name;
      if (revoked === undefined) return;
      grants.refuse(revoked);
      for (const [number, { name }] of sessions) if (name === revoked) end(number, 'revoked');
    },
    handle([kind, number, value]) {
      if (kind !== 'open' && kind !== 'm' && kind !== 'close') return;
      if (typeof number !== 'number') throw new TypeError();
      if (kind === 'close') return end(number);
      if (Object(value) !== value) throw new TypeError();
      if (kind === 'open') return void open(number, value as object);
      try {
        sessions.get(number)?.port?.postMessage(value);
      } catch {
        // The message is nested too deep for a structured clone.
        end(number, 'close');
      }
    },
  };
}
