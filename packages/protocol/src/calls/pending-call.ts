import type { JsonRpcError, JsonRpcRequest, JsonRpcResult, RequestId } from '@inpage-mcp/transport';
import { ToolError } from '../wire/errors.js';
import type {
  ElicitParams,
  ElicitResult,
  InputRequest,
  InputResponse,
  InputResponses,
  ListRootsResult,
  SampleParams,
  SampleResult,
} from '../wire/input-types.js';
import { isObject } from '../wire/is-object.js';
import {
  ELICITATION_SINCE,
  META,
  MODES_SINCE,
  NOTIFICATIONS,
  REQUEST_META_KEY,
  type Era,
} from '../wire/keys.js';
import {
  LOG_LEVELS,
  type ClientCapabilities,
  type Implementation,
  type LogLevel,
  type Meta,
  type Params,
  type ServerCapabilities,
} from '../wire/types.js';
import type { Call } from './call.js';
import { CarriedAnswers } from './carried-answers.js';
import type { QueuedRequest } from '../fairness/request-queue.js';
import type { Deadlines, Timed } from './deadlines.js';
import { isAnswerTo } from './input-answers.js';
import { checkCanAsk, InputNeeded } from './input-needed.js';
import { olderQuestion } from './older-question.js';

/** The parts of a connection that a call uses. */
export interface CallHost<Context> {
  readonly context: Context;
  readonly deadlines: Deadlines;
  readonly timeoutMs: number;
  /** The declaration of a client of the legacy era in `initialize`. */
  readonly legacy: LegacyClient;
  notify(method: string, params: Params): void;
  /** Asks a client of the legacy era. */
  askClient(request: InputRequest, signal: AbortSignal): Promise<InputResponse>;
  /** Called when it is the turn of a call: its method runs now. */
  begin(call: PendingCall<Context>): void;
  /** Called when a call has timed out: it is answered now. */
  timeOut(call: PendingCall<Context>): void;
}

/** The batch that a request is part of: all its answers are sent together. */
export interface BatchOfCall {
  /** Takes the answer to one request; `undefined` if it gets none, as it was cancelled. */
  settle(answer: JsonRpcResult | JsonRpcError | undefined): void;
}

/** The state of a client of the legacy era. */
export interface LegacyClient {
  revision: string;
  info: Implementation | undefined;
  capabilities: ClientCapabilities;
  /** The lowest level of log messages to send. `undefined` means all levels. */
  logLevel: LogLevel | undefined;
  /** The capabilities that the server has declared to the client: none before `initialize`. */
  offered: ServerCapabilities;
}

/** Whether a message of this level is sent to a client that wants the level `wanted`. */
export function isLogged(level: LogLevel, wanted: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(wanted);
}

const NOTHING: { readonly [key: string]: never } = {};

/** The state of a request, from its arrival until it is answered. */
export class PendingCall<Context = unknown> implements Call<Context>, Timed, QueuedRequest {
  readonly id: RequestId;
  readonly method: string;
  params: Params;
  readonly batch: BatchOfCall | undefined;
  /** The era of the call, set by the inbound steps. */
  era: Era = 'modern';
  /** Whether it may scan all stored data. Set after the inbound steps. */
  isHeavy = false;
  place: QueuedRequest['place'];
  /** The number of bytes that the call counts in the quota of kept bytes. */
  keptBytes = 0;
  inputResponses: InputResponses | undefined;
  requestState: unknown;
  /** Whether it was answered or cancelled, or its connection has ended. */
  isOver = false;
  dueAt = Infinity;
  readonly #host: CallHost<Context>;
  #carried: CarriedAnswers | undefined;
  #controller: AbortController | undefined;
  /** The reason why it was aborted; `undefined` if it was not. */
  #reason: unknown;
  #lastProgress = Number.NEGATIVE_INFINITY;
  /** The remaining time while the deadline is paused. */
  #leftMs = 0;
  #pauses = 0;

  constructor(
    { id, method, params = NOTHING }: JsonRpcRequest,
    batch: BatchOfCall | undefined,
    host: CallHost<Context>,
  ) {
    this.id = id;
    this.method = method;
    this.params = params;
    this.batch = batch;
    this.#host = host;
  }

  get connection(): object {
    return this.#host;
  }

  get context(): Context {
    return this.#host.context;
  }

  /** The questions to the client, and its answers. */
  get carried(): CarriedAnswers {
    return (this.#carried ??= new CarriedAnswers(this));
  }

  get meta(): Meta {
    return (this.params['_meta'] as Meta | undefined) ?? NOTHING;
  }

  get revision(): string {
    return this.era === 'legacy'
      ? this.#host.legacy.revision
      : (this.meta[META.protocolVersion] as string);
  }

  get clientInfo(): Implementation | undefined {
    if (this.era === 'legacy') return this.#host.legacy.info;
    return this.meta[META.clientInfo] as Implementation | undefined;
  }

  get clientCapabilities(): ClientCapabilities {
    if (this.era === 'modern') return this.meta[META.clientCapabilities] as ClientCapabilities;
    const { capabilities, revision } = this.#host.legacy;
    if (revision >= MODES_SINCE) return capabilities;
    const { elicitation, sampling, ...others } = capabilities;
    return {
      ...others,
      ...(isObject(elicitation) && revision >= ELICITATION_SINCE && { elicitation: {} }),
      ...(isObject(sampling) && { sampling: {} }),
    };
  }

  /**
   * The signal of the call. It is created on first use, because most calls end before anything could abort
   * them.
   */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  begin(): void {
    this.#host.begin(this);
  }

  /** Starts the deadline: the handler begins now. */
  start(): void {
    this.dueAt = performance.now() + this.#host.timeoutMs;
    this.#host.deadlines.add(this);
  }

  /** Ends the deadline; later progress and log messages are dropped. */
  end(): void {
    this.isOver = true;
    this.#host.deadlines.delete(this);
  }

  /** Frees the params, because a stream may stay open for long, and its request may be large. */
  forgetParams(): void {
    this.params = NOTHING;
  }

  /** Notifies the handler, through the signal, that the answer is no longer needed. */
  abort(reason: unknown): void {
    this.end();
    this.#reason ??= reason;
    this.#controller?.abort(reason);
  }

  expire(): void {
    this.#host.timeOut(this);
  }

  async whileAsking<Value>(ask: () => Promise<Value>): Promise<Value> {
    this.#pause();
    try {
      return await ask();
    } finally {
      this.#resume();
    }
  }

  progress(progress: number, total?: number, message?: string): void {
    const { progressToken } = this.meta;
    // Each notification must have a larger number than the one before, and JSON has no `Infinity`.
    const isMore = progress > this.#lastProgress && progress < Infinity;
    if (progressToken === undefined || !isMore || this.isOver) return;
    this.#lastProgress = progress;
    const more = {
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message }),
    };
    this.#host.notify(NOTIFICATIONS.progress, { progressToken, progress, ...more });
  }

  log(level: LogLevel, data: unknown, logger?: string): void {
    if (this.isOver || !this.#isLogged(level)) return;
    const params = {
      level,
      data,
      ...(logger !== undefined && { logger }),
      ...(this.era === 'modern' && { _meta: { [REQUEST_META_KEY]: this.id } }),
    };
    this.#host.notify(NOTIFICATIONS.message, params);
  }

  elicit(key: string, params: ElicitParams): Promise<ElicitResult> {
    const request = { method: 'elicitation/create', params: { mode: 'form', ...params } } as const;
    return this.#input(key, request) as Promise<ElicitResult>;
  }

  sample(key: string, params: SampleParams): Promise<SampleResult> {
    return this.#input(key, { method: 'sampling/createMessage', params }) as Promise<SampleResult>;
  }

  listRoots(key: string): Promise<ListRootsResult> {
    return this.#input(key, { method: 'roots/list' }) as Promise<ListRootsResult>;
  }

  /** Asks a client of the legacy era; the time until the answer does not count. */
  async askClient(request: InputRequest, signal = this.signal): Promise<InputResponse> {
    checkCanAsk(request, this.clientCapabilities);
    const question = olderQuestion(request, this.revision);
    return await this.whileAsking(() => this.#host.askClient(question, signal));
  }

  async #input(key: string, request: InputRequest): Promise<InputResponse> {
    const known = this.carried.get(key, request);
    // If the answer is not valid, the question is asked again.
    if (known && (await isAnswerTo(request, known))) return known;
    if (this.era === 'modern') throw new InputNeeded(key, request);
    const response = await this.#askLegacyClient(request);
    if (!(await isAnswerTo(request, response))) {
      throw new ToolError('The answer of the client to a question is not valid.');
    }
    this.carried.set(key, request, response);
    return response;
  }

  async #askLegacyClient(request: InputRequest): Promise<InputResponse> {
    try {
      return await this.askClient(request);
    } catch (error) {
      if (this.isOver) throw error;
      throw new ToolError(`The client did not answer the question: ${(error as Error).message}`);
    }
  }

  #isLogged(level: LogLevel): boolean {
    const isModern = this.era === 'modern';
    const wanted = isModern ? this.meta[META.logLevel] : this.#host.legacy.logLevel;
    if (wanted === undefined) return !isModern;
    return isLogged(level, wanted as LogLevel);
  }

  #pause(): void {
    this.#pauses += 1;
    if (this.#pauses > 1) return;
    this.#leftMs = this.dueAt - performance.now();
    this.#host.deadlines.delete(this);
  }

  #resume(): void {
    this.#pauses -= 1;
    // If the call is over, a late answer must not restart the deadline.
    if (this.#pauses > 0 || this.isOver) return;
    this.dueAt = performance.now() + this.#leftMs;
    this.#host.deadlines.add(this);
  }
}
