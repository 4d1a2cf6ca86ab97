import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { Pairing, StateFile } from '../state/state-file.js';
import { CloseCode } from '../wire/frames.js';
import { FrameSocket } from '../wire/frame-socket.js';
import { Greeting, GreetingError } from '../wire/greeting.js';
import {
  FRAME_OVERHEAD_BYTES,
  HTTP_TIMES,
  MAX_GREETING_FRAME_BYTES,
  MAX_GREETING_FRAMES,
  MAX_PAGE_FRAME_BYTES,
  MAX_STRANGERS,
  MAX_UNKNOWN_PAGES,
} from '../wire/limits.js';
import type {
  BridgeStatus,
  Entry,
  EntryHandlers,
  PageRouter,
  PendingPairing,
} from '../wire/router.js';
import type { HostFacts } from '../wire/messages.js';
import { greetPage } from './page-greeting.js';
import { PageLink, type PageLinkHandlers } from './page-link.js';
import { Pages } from './pages.js';
import { PairingDesk } from './pairing-desk.js';
import { greetProcess, ProcessLink } from './process-link.js';
import { SessionRouter } from './session-router.js';
import { checkUpgrade, type HubPath } from './upgrade-gate.js';

/** Options of a hub. */
export interface HubOptions {
  state: StateFile;
  /** The origins of the pages that the user of this process has configured. */
  expectedOrigins: readonly string[];
  /** The timeout for a page's answer to a ping, in ms. Default: 10 seconds. */
  pageAnswerMs?: number | undefined;
  /** Called when another page serves, or no page serves now, and when a pairing begins or stops waiting. */
  onstatus: (status: BridgeStatus) => void;
}

/** The process that listens on the port. Pages and other bridge processes connect to it. */
export class Hub implements PageRouter {
  /** The port on which the hub listens. */
  readonly port: number;
  readonly #options: HubOptions;
  readonly #server: Server;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    clientTracking: true,
    maxPayload: MAX_PAGE_FRAME_BYTES + FRAME_OVERHEAD_BYTES,
    perMessageDeflate: false,
  });
  readonly #router = new SessionRouter();
  readonly #pages = new Pages((page) => {
    // The status comes first, because a session waits for a page only if it knows that one is connected.
    this.#announce();
    this.#router.setPage(page);
  });
  readonly #processes = new Map<ProcessLink, string[]>();
  readonly #desk: PairingDesk;
  /**
   * The number of sockets without a proof in each group; the groups are all processes, and the pages of each
   * origin.
   */
  readonly #strangers = new Map<string, number>();
  #pairing: PendingPairing | undefined;

  private constructor(server: Server, options: HubOptions) {
    this.port = (server.address() as AddressInfo).port;
    this.#server = server;
    this.#options = options;
    this.#desk = new PairingDesk({
      state: options.state,
      port: this.port,
      waitingHost: () => this.#router.hosts[0]?.name ?? '',
      expectedOrigins: () => this.#expectedOrigins(),
      onpending: (pairing) => {
        this.#pairing = pairing;
        this.#announce();
      },
    });
    server.on('upgrade', (request, socket, head) => {
      try {
        this.#upgrade(request, socket, head);
      } catch (error) {
        report(error);
        refuse(socket, 503);
      }
    });
  }

  /**
   * Listens on a port of this machine.
   *
   * @throws if the port is taken (`EADDRINUSE`), or if this process may not use it.
   */
  static async listen(port: number, options: HubOptions): Promise<Hub> {
    const server = createServer(HTTP_TIMES, (_request, response) => {
      response.writeHead(404).end();
    });
    server.maxConnections = MAX_CONNECTIONS;
    server.listen({ port, host: '127.0.0.1', exclusive: true });
    await once(server, 'listening');
    return new Hub(server, options);
  }

  get status(): BridgeStatus {
    return { page: this.#pages.serving?.pairing.origin, pairing: this.#pairing };
  }

  enter(facts: HostFacts, handlers: EntryHandlers): Entry {
    return this.#router.enter(facts, handlers);
  }

  /** Passes on the user's decision about the pairing with this code. */
  answerPairing(code: string, isAccepted: boolean): void {
    this.#desk.answer(code, isAccepted);
  }

  /** Closes all sockets, and frees the port. */
  close(): void {
    for (const socket of this.#sockets.clients) socket.close(CloseCode.GoingAway);
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #announce(): void {
    const { status } = this;
    for (const link of this.#processes.keys()) link.setStatus(status);
    this.#options.onstatus(status);
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const result = checkUpgrade(request, this.port);
    if ('status' in result) return refuse(socket, result.status);
    const isFull = this.#pages.isFull && result.path === '/page';
    const group = result.path === '/page' ? result.origin : result.path;
    const strangers = this.#strangers.get(group) ?? 0;
    const isCrowded = !this.#isKnown(group) && this.#countUnknown() >= MAX_UNKNOWN_PAGES;
    if (strangers >= MAX_STRANGERS || isCrowded || isFull) return refuse(socket, 503);
    this.#strangers.set(group, strangers + 1);
    const guard = guardGreeting(socket);
    let isCounted = true;
    const discount = (): void => {
      if (!isCounted) return;
      isCounted = false;
      guard.end();
      const left = this.#strangers.get(group)! - 1;
      if (left > 0) this.#strangers.set(group, left);
      else this.#strangers.delete(group);
    };
    // A peer whose handshake is not valid is refused, and never greeted.
    socket.on('close', discount);
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const frames = new FrameSocket(webSocket, () => (socket as Socket).bytesRead);
      void this.#greet(frames, result).finally(discount);
    });
  }

  /** Whether a group is that of the processes, or an origin that the user has configured or paired. */
  #isKnown(group: string): boolean {
    return (
      group === '/bridge' ||
      this.#expectedOrigins().includes(group) ||
      this.#options.state.pairings.some((pairing) => pairing.origin === group)
    );
  }

  #countUnknown(): number {
    const unknown = [...this.#strangers].filter(([group]) => !this.#isKnown(group));
    return unknown.reduce((sum, [, count]) => sum + count, 0);
  }

  #expectedOrigins(): string[] {
    return [...this.#options.expectedOrigins, ...[...this.#processes.values()].flat()];
  }

  async #greet(
    socket: FrameSocket,
    { path, origin }: { path: HubPath; origin: string },
  ): Promise<void> {
    const greeting = new Greeting(socket);
    const { state } = this.#options;
    const { port } = this;
    try {
      if (path === '/page') {
        const pairing = await greetPage(greeting, { origin, port, state, desk: this.#desk });
        const frames = greeting.release();
        // Other pages may have been greeted at the same time.
        if (this.#pages.isFull)
          throw new GreetingError('There are too many pages.', CloseCode.TooMuch);
        this.#addPage(socket, pairing);
        for (const frame of frames) socket.onframe?.(frame);
      } else {
        const origins = await greetProcess(greeting, { secret: state.secret, port });
        const frames = greeting.release();
        this.#addProcess(socket, origins);
        for (const frame of frames) socket.onframe?.(frame);
      }
    } catch (error) {
      socket.onframe = undefined;
      socket.close(error instanceof GreetingError ? closeCodeOf(error) : CloseCode.Refused);
      if (!(error instanceof GreetingError)) console.error('inpage-mcp bridge:', error);
    }
  }

  #addPage(socket: FrameSocket, pairing: Pairing): void {
    const router = this.#router;
    const isServing = (): boolean => this.#pages.serving === page;
    const handlers: PageLinkHandlers = {
      onopened: (session) => router.onopened(session),
      onmessage: (session, message) => router.onmessage(session, message),
      onend: (session, how) => router.onend(session, how),
      onoffer: () => isServing() && router.offerAgain(),
      onforget: () => this.#forget(page),
      onalive: () => this.#pages.onalive(page),
      onpressure: (isHigh) => isServing() && router.setPressure(isHigh),
      onclose: () => this.#pages.delete(page),
    };
    const page = new PageLink(socket, pairing, handlers, this.#options.pageAnswerMs);
    page.welcome(router.hosts);
    this.#pages.add(page);
  }

  #addProcess(socket: FrameSocket, origins: string[]): void {
    const link: ProcessLink = new ProcessLink(socket, {
      router: this.#router,
      onanswer: (code, isAccepted) => this.#desk.answer(code, isAccepted),
      ondeletedpairings: () => this.#endUnpaired(),
      onclose: () => this.#processes.delete(link),
    });
    this.#processes.set(link, origins);
    socket.send('welcome');
    link.setStatus(this.status);
  }

  /** The user has ended a pairing in the page, which is disconnected even if the pairing cannot be deleted. */
  #forget(page: PageLink): void {
    const { id, origin } = page.pairing;
    page.close(CloseCode.WrongProof);
    try {
      this.#options.state.remove((pairing) => pairing.id === id && pairing.origin === origin);
    } catch (error) {
      report(error);
    }
    this.#endUnpaired();
  }

  /**
   * Disconnects the pages whose pairings were deleted. If the state file cannot be read, disconnects all pages,
   * which prove their pairings again once it can be read.
   */
  #endUnpaired(): void {
    const { state } = this.#options;
    for (const page of this.#pages.all) {
      const { id, origin } = page.pairing;
      try {
        if (!state.find(id, origin)) page.close(CloseCode.WrongProof);
      } catch (error) {
        report(error);
        page.close(CloseCode.GoingAway);
      }
    }
  }
}

/** Reports that the state file is damaged, cannot be written, or can be read by other users. */
const report = (error: unknown): void =>
  console.error('inpage-mcp bridge:', (error as Error).message);

/** The maximum number of connections, including those of programs that send nothing. */
const MAX_CONNECTIONS = 256;

/**
 * The code for closing a socket after a failed greeting. If the peer has closed the socket, the error has the
 * peer's code, such as 1006, which `close` does not accept.
 */
const closeCodeOf = ({ code }: GreetingError): number => (code >= 4_000 ? code : CloseCode.Refused);

/**
 * The maximum number of bytes of a greeting. The masks and lengths of frames count, but the HTTP request for
 * the upgrade does not.
 */
const MAX_GREETING_BYTES = MAX_GREETING_FRAMES * MAX_GREETING_FRAME_BYTES;

/** Disconnects a peer that sends more than a greeting before it has proved who it is. */
function guardGreeting(socket: Duplex): { end(): void } {
  let bytes = 0;
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > MAX_GREETING_BYTES) socket.destroy();
  };
  socket.on('data', count);
  return { end: () => void socket.off('data', count) };
}

const STATUS_TEXTS = { 403: 'Forbidden', 404: 'Not Found', 503: 'Service Unavailable' };

function refuse(socket: Duplex, status: keyof typeof STATUS_TEXTS): void {
  socket.on('error', () => undefined);
  socket.end(`HTTP/1.1 ${status} ${STATUS_TEXTS[status]}\r\nConnection: close\r\n\r\n`);
}
