import { randomUUID } from 'node:crypto';
import type { JsonRpcMessage, RequestId } from '@inpage-mcp/transport';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { HostSession, type HostSessionOptions } from '../session/host-session.js';
import { cannotBeWritten, isAnswer, isRequest, metaOf } from '../wire/messages.js';
import { EventLog } from './event-log.js';
import { refusal } from './http-refusal.js';

/** The options that all sessions over HTTP share. */
export type SharedSessionOptions = Pick<
  HostSessionOptions,
  'router' | 'waiting' | 'name' | 'waitMs' | 'deadlines'
>;

/**
 * The maximum number of sessions. For one more, the least recently used session is closed, because clients
 * often disconnect without DELETE, and a page serves a limited number of sessions.
 */
const MAX_SESSIONS = 24;

/** The time after which a session without an open request and without a stream is closed, in ms. */
const IDLE_TIMEOUT_MS = 10 * 60_000;

/** The time that a client should wait before it resumes a lost stream, in ms. */
const RETRY_MS = 1_000;

/**
 * Matches notifications that belong to no request: they are sent on the stream that the client opens with
 * GET.
 */
const CHANGES = /\/list_changed$|^notifications\/resources\/updated$/;

/** Streamable HTTP of 2025-11-25 and before: a session begins with `initialize`, and ends with DELETE. */
export class LegacySessions {
  readonly #options: SharedSessionOptions;
  /** The sessions by their ids; the most recently used one comes last. */
  readonly #sessions = new Map<string, LegacySession>();

  constructor(options: SharedSessionOptions) {
    this.#options = options;
  }

  /** All sessions. */
  get all(): HostSession[] {
    return [...this.#sessions.values()].map(({ session }) => session);
  }

  /**
   * Answers a request.
   *
   * @param body The parsed body of a POST.
   * @param left Aborts when the client has disconnected. The signal of the request itself may never abort,
   *   because only the request keeps it alive.
   */
  fetch(request: Request, body: unknown, left: AbortSignal): Promise<Response> | Response {
    const id = request.headers.get('mcp-session-id');
    if (id === null) return this.#begin(request, body, left);
    const session = this.#sessions.get(id);
    if (!session) return refusal(404, -32_001, 'This session does not exist.');
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session.fetch(request, body, left);
  }

  close(): void {
    for (const session of this.#sessions.values()) session.close();
  }

  async #begin(request: Request, body: unknown, left: AbortSignal): Promise<Response> {
    const session = new LegacySession(this.#options, {
      onbegin: (id) => {
        this.#sessions.set(id, session);
        const [oldest] = this.#sessions.values();
        if (this.#sessions.size > MAX_SESSIONS) oldest?.close();
      },
      onend: (id) => this.#sessions.delete(id),
    });
    // Without a session, the SDK refuses every request except `initialize`.
    const response = await session.fetch(request, body, left);
    if (!session.hasBegun) session.close();
    return response;
  }
}

/** One client, from `initialize` to DELETE. */
class LegacySession {
  readonly session: HostSession;
  readonly #transport: WebStandardStreamableHTTPServerTransport;
  /** The unanswered requests with their progress tokens; the latest request comes last. */
  readonly #open = new Map<RequestId, unknown>();
  /** The number of open streams of the client that belong to no request. */
  #streams = 0;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(
    options: SharedSessionOptions,
    handlers: { onbegin: (id: string) => void; onend: (id: string) => void },
  ) {
    this.session = new HostSession({ ...options, send: (message) => this.#send(message) });
    this.#transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: handlers.onbegin,
      eventStore: new EventLog(),
      retryInterval: RETRY_MS,
    });
    this.#transport.onmessage = (message) => this.#receive(message);
    this.#transport.onclose = () => {
      this.#isClosed = true;
      clearTimeout(this.#idle);
      this.session.close();
      if (this.#transport.sessionId !== undefined) handlers.onend(this.#transport.sessionId);
    };
  }

  get hasBegun(): boolean {
    return this.#transport.sessionId !== undefined;
  }

  fetch(request: Request, body: unknown, left: AbortSignal): Promise<Response> {
    const isStream = request.method === 'GET';
    if (isStream) {
      this.#streams += 1;
      left.addEventListener('abort', () => {
        this.#streams -= 1;
        this.#awaitUse();
      });
    }
    this.#awaitUse();
    return this.#transport.handleRequest(request, { parsedBody: body });
  }

  /** Closes the session after some time in which it is not used. */
  #awaitUse(): void {
    clearTimeout(this.#idle);
    if (this.#isClosed || this.#streams > 0 || this.#open.size > 0) return;
    this.#idle = setTimeout(() => this.close(), IDLE_TIMEOUT_MS).unref();
  }

  close(): void {
    void this.#transport.close();
  }

  #receive(message: JsonRpcMessage): void {
    if (isRequest(message)) this.#open.set(message.id, metaOf(message)['progressToken']);
    // A cancelled request gets no answer.
    else if (!isAnswer(message) && message.method === 'notifications/cancelled')
      this.#open.delete(message.params?.['requestId'] as RequestId);
    this.#awaitUse();
    this.session.receive(message);
  }

  #send(message: JsonRpcMessage): void {
    const relatedRequestId = this.#requestOf(message);
    if (isAnswer(message) && message.id !== undefined) {
      this.#open.delete(message.id);
      this.#awaitUse();
    }
    const sent = this.#transport.send(
      message,
      relatedRequestId === undefined ? {} : { relatedRequestId },
    );
    // Either the client has disconnected, and the event log keeps the message, or the message is nested too
    // deep.
    sent.catch((error: unknown) => {
      if (!(error instanceof RangeError) || !isAnswer(message) || message.id === undefined) return;
      void this.#transport.send(cannotBeWritten(message.id)).catch(() => undefined);
    });
  }

  /**
   * The request on whose stream a message is sent. Log messages and questions do not name their request in
   * the protocol: they are sent on the stream of the latest open request.
   */
  #requestOf(message: JsonRpcMessage): RequestId | undefined {
    if (isAnswer(message) || CHANGES.test(message.method)) return undefined;
    const open = [...this.#open];
    if (message.method !== 'notifications/progress') return open.at(-1)?.[0];
    return open.find(([, token]) => token === message.params?.['progressToken'])?.[0];
  }
}
