import type {
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
  RequestId,
} from '@inpage-mcp/transport';
import type { WaitingServer } from '../waiting/waiting-server.js';
import { DEADLINES, MAX_REQUESTS_IN_FLIGHT, type Deadlines } from '../wire/limits.js';
import {
  cannotBePassed,
  cannotBeSent,
  hostFactsOf,
  isAnswer,
  isNotification,
  isRequest,
  type JsonRpcAnswer,
} from '../wire/messages.js';
import type { Entry, PageRouter } from '../wire/router.js';
import { OwnQuestions } from './own-questions.js';
import { Questions } from './questions.js';
import { LISTEN, Remembered } from './remembered.js';
import { duplicateId, OpenRequests, pageGone, tooManyRequests } from './requests.js';
import { waitingUpstream, type Upstream } from './upstream.js';

/**
 * The requests that wait for a page no longer than `pageReturnMs`, because hosts give up soon if these take
 * long.
 */
const AT_ONCE = new Set(['initialize', 'server/discover', 'ping']);

/** Options of a session. */
export interface HostSessionOptions {
  router: PageRouter;
  waiting: WaitingServer;
  /**
   * Sends a message to the host.
   *
   * @throws {RangeError} if the message is nested too deep, or too long for the host.
   */
  send: (message: JsonRpcMessage) => void;
  /** Pauses or resumes reading from the host. */
  setPaused?: ((isPaused: boolean) => void) | undefined;
  /** The name that the user has given the host. Default: the name that the host reports. */
  name?: string | undefined;
  /**
   * The time that a new session waits if no page is connected, in ms. Default: 0; the bridge answers at once.
   */
  waitMs?: number | undefined;
  /**
   * Whether the host is never notified of changed lists. In that case, the bridge does not answer by itself
   * while a page serves other hosts. Default: `false`.
   */
  isStateless?: boolean | undefined;
  /** The timeouts of the session. Default: {@link DEADLINES}. */
  deadlines?: Deadlines | undefined;
}

/**
 * The session of one host. It passes messages to a page, or to the waiting server. If the server changes,
 * the session repeats the handshake and the subscriptions, and notifies the host of changed lists.
 */
export class HostSession {
  /** The questions of the bridge itself to the host. */
  readonly questions = new OwnQuestions((message) => this.#send(message));
  readonly #options: HostSessionOptions;
  readonly #deadlines: Deadlines;
  readonly #remembered = new Remembered();
  readonly #requests = new OpenRequests();
  readonly #questions = new Questions();
  /** The requests of the bridge itself to the present server. */
  readonly #ownIds = new Set<RequestId>();
  #entry: Entry | undefined;
  /** The present server; `undefined` while the session waits for a page. */
  #upstream: Upstream | undefined;
  #hadUpstream = false;
  /** The messages that the host has sent while there was no server. */
  #held: JsonRpcMessage[] = [];
  #patience: NodeJS.Timeout | undefined;
  /** Whether requests wait for a page, although the waiting server could answer them. */
  #isPatient = true;
  /** Whether the user has refused the session in the page. */
  #isRefused = false;
  #isClosed = false;

  constructor(options: HostSessionOptions) {
    this.#options = options;
    this.#deadlines = options.deadlines ?? DEADLINES;
  }

  /** Whether the host can be asked something at any time. */
  get takesElicitation(): boolean {
    return this.#remembered.takesElicitation;
  }

  /** Receives a message from the host. */
  receive(message: JsonRpcMessage): void {
    if (this.#isClosed || this.questions.settle(message)) return;
    if (!this.#entry) this.#enter(message);
    if (!this.#cancelHeld(message)) this.#handle(message);
  }

  /** Ends the session. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#patience);
    this.#entry?.close();
    this.#upstream?.close();
    this.questions.close();
  }

  #enter(first: JsonRpcMessage): void {
    const { router, name, waitMs = 0, setPaused } = this.#options;
    this.#awaitPage(Math.max(waitMs, this.#deadlines.pageReturnMs));
    // The handlers may be called before `enter` returns.
    this.#entry = { send: () => undefined, close: () => undefined };
    this.#entry = router.enter(hostFactsOf(first, name), {
      onopened: () => {
        this.#isPatient = true;
        this.#isRefused = false;
        this.#servePage();
      },
      onmessage: (message) => {
        if (this.#upstream?.isPage) this.#receiveFrom(message, this.#upstream);
      },
      ongone: () => {
        this.#isPatient = true;
        this.#awaitPage(this.#deadlines.pageReturnMs);
      },
      onunserved: (reason) => {
        this.#isRefused = reason === 'refused';
        const mayCome = this.#hadUpstream || waitMs > 0 || this.#isPageExpected;
        if (this.#isRefused || !mayCome) this.#serveWaiting();
        if (this.#upstream && !this.#isPageExpected) this.#release();
      },
      onpressure: (isHigh) => setPaused?.(isHigh),
    });
  }

  /** Passes a message on, answers it, or lets it wait for a page. */
  #handle(message: JsonRpcMessage): void {
    const upstream = this.#upstream;
    if (!upstream) return this.#hold(message);
    if (upstream.isPage || !isRequest(message) || !this.#needsPage(message))
      return this.#pass(message, upstream);
    if (this.#isPatient) return this.#hold(message);
    const { isStateless, waiting } = this.#options;
    if (isStateless && waiting.isPageThere) this.#send(waiting.busy(message));
    else this.#pass(message, upstream);
  }

  /** Whether a page will probably serve the session soon. */
  get #isPageExpected(): boolean {
    return !this.#isRefused && this.#options.waiting.isPageExpected;
  }

  #needsPage(request: JsonRpcRequest): boolean {
    const { isStateless, waiting } = this.#options;
    const isForPage = isStateless || !AT_ONCE.has(request.method);
    return isForPage && this.#isPageExpected && !waiting.isOwn(request);
  }

  #hold(message: JsonRpcMessage): void {
    if (this.#held.length < MAX_REQUESTS_IN_FLIGHT) this.#held.push(message);
    else if (isRequest(message)) this.#send(tooManyRequests(message));
    if (this.#upstream)
      this.#patience ??= setTimeout(() => this.#losePatience(), this.#deadlines.pageOpeningMs);
  }

  /**
   * Stops waiting for a page that has not opened the session in time: from now on, the bridge answers, until
   * a page serves.
   */
  #losePatience(): void {
    this.#isPatient = false;
    this.#options.waiting.expectNoPage();
    this.#release();
  }

  /** Handles the messages again that were waiting. */
  #release(): void {
    this.#stopPatience();
    for (const message of this.#held.splice(0)) this.#handle(message);
  }

  #stopPatience(): void {
    clearTimeout(this.#patience);
    this.#patience = undefined;
  }

  /** Forgets a request that the host cancels while it waits; returns whether such a request was waiting. */
  #cancelHeld(message: JsonRpcMessage): boolean {
    if (!isNotification(message) || message.method !== 'notifications/cancelled') return false;
    const id = message.params?.['requestId'];
    const index = this.#held.findIndex((held) => isRequest(held) && held.id === id);
    if (index >= 0) this.#held.splice(index, 1);
    return index >= 0;
  }

  /** Closes the present connection, and enqueues messages until a page serves or the time is over. */
  #awaitPage(timeoutMs: number): void {
    if (this.#isClosed) return;
    if (this.#upstream) this.#leave(this.#upstream);
    this.#stopPatience();
    this.#patience = setTimeout(() => this.#serveWaiting(), timeoutMs);
  }

  #servePage(): void {
    this.#switchTo({
      isPage: true,
      send: (message) => this.#entry?.send(message),
      close: () => undefined,
    });
  }

  #serveWaiting(): void {
    if (this.#isClosed || this.#upstream?.isPage === false) return;
    const { waiting } = this.#options;
    this.#switchTo(waitingUpstream(waiting, (message, from) => this.#receiveFrom(message, from)));
  }

  /** Switches to another server: repeats the state of the session to it, and notifies the host of changes. */
  #switchTo(upstream: Upstream): void {
    this.#stopPatience();
    const unanswered = this.#upstream ? this.#leave(this.#upstream) : [];
    this.#upstream = upstream;
    const { messages, ownIds } = this.#remembered.replay();
    for (const id of ownIds) this.#ownIds.add(id);
    for (const message of messages) {
      if (isRequest(message) && message.method === LISTEN) this.#requests.add(message, upstream);
      this.#sendTo(upstream, message);
    }
    for (const request of unanswered) this.#pass(request, upstream);
    if (this.#hadUpstream) for (const change of this.#remembered.changes()) this.#send(change);
    this.#hadUpstream = true;
    this.#release();
  }

  /** Closes a connection; returns the unanswered requests that can be sent to the next server. */
  #leave(upstream: Upstream): JsonRpcRequest[] {
    this.#upstream = undefined;
    this.#ownIds.clear();
    for (const cancelled of this.#questions.cancelAll(upstream, 'The page has disconnected.'))
      this.#send(cancelled);
    const left = this.#requests.takeAll(upstream).filter(({ method }) => method !== LISTEN);
    upstream.close();
    // The waiting server changes no data, so its unanswered requests can be sent again.
    if (!upstream.isPage) return left;
    for (const request of left) this.#send(pageGone(request));
    return [];
  }

  #pass(message: JsonRpcMessage, upstream: Upstream): void {
    if (isRequest(message)) return this.#passRequest(message, upstream);
    if (isNotification(message)) return this.#passNotification(message, upstream);
    const question = this.#questions.answer(message);
    if (question?.upstream === upstream) this.#sendTo(upstream, question.answer);
  }

  #passRequest(request: JsonRpcRequest, upstream: Upstream): void {
    if (this.#requests.size >= MAX_REQUESTS_IN_FLIGHT) return this.#send(tooManyRequests(request));
    if (this.#requests.has(request.id)) return this.#send(duplicateId(request));
    const answer = this.#options.waiting.answer(request, upstream.isPage);
    if (answer) return this.#send(answer);
    this.#requests.add(request, upstream);
    this.#remembered.onrequest(request);
    this.#sendTo(upstream, request);
  }

  #passNotification(message: JsonRpcNotification, upstream: Upstream): void {
    if (message.method === 'notifications/initialized') this.#remembered.oninitialized();
    if (message.method === 'notifications/cancelled') {
      const id = message.params?.['requestId'] as RequestId;
      // A cancelled request gets no answer; a late one is dropped.
      this.#remembered.endStream(id);
      this.#requests.delete(id);
    }
    this.#sendTo(upstream, message);
  }

  #receiveFrom(message: JsonRpcMessage, upstream: Upstream): void {
    if (this.#isClosed || upstream !== this.#upstream) return;
    if (isAnswer(message)) return this.#receiveAnswer(message, upstream);
    if (isRequest(message)) return this.#ask(message, upstream);
    if (this.#remembered.isRepeated(message)) return;
    // A notification that cannot be sent is dropped.
    if (message.method !== 'notifications/cancelled') return this.#sendOr(message, () => undefined);
    const requestId = this.#questions.cancel(message.params?.['requestId'], upstream);
    if (requestId === undefined) return;
    const cancelled = { ...message, params: { ...message.params, requestId } };
    this.#sendOr(cancelled, () => undefined);
  }

  #receiveAnswer(answer: JsonRpcAnswer, upstream: Upstream): void {
    if (answer.id === undefined) return this.#sendOr(answer, () => undefined);
    if (this.#ownIds.delete(answer.id)) return;
    const request = this.#requests.settle(answer.id, upstream);
    if (!request) return;
    this.#remembered.onanswer(request, answer);
    this.#sendOr(answer, (error) => this.#send(cannotBeSent(request, error)));
  }

  #ask(request: JsonRpcRequest, upstream: Upstream): void {
    this.#sendOr(this.#questions.add(request, upstream), (error) => {
      this.#questions.cancel(request.id, upstream);
      this.#sendTo(upstream, cannotBeSent(request, error));
    });
  }

  /** @param otherwise Called if the host cannot take the message. */
  #sendOr(message: JsonRpcMessage, otherwise: (error: RangeError) => void): void {
    try {
      this.#send(message);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      otherwise(error);
    }
  }

  /** Sends a message to a server. If a request cannot be sent, the bridge answers it with an error. */
  #sendTo(upstream: Upstream, message: JsonRpcMessage): void {
    try {
      upstream.send(message);
    } catch {
      if (isRequest(message) && this.#requests.settle(message.id, upstream))
        this.#send(cannotBePassed(message));
    }
  }

  #send(message: JsonRpcMessage): void {
    if (!this.#isClosed) this.#options.send(message);
  }
}
