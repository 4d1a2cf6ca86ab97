import type { JsonRpcRequest, RequestId } from '@inpage-mcp/transport';
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
import { ELICITATION_SINCE, META, NOTIFICATIONS, type Era } from '../wire/keys.js';
import {
  LOG_LEVELS,
  type ClientCapabilities,
  type Implementation,
  type LogLevel,
  type Meta,
  type Params,
} from '../wire/types.js';
import type { Call } from './call.js';
import { CarriedAnswers } from './carried-answers.js';
import type { Deadlines, Timed } from './deadlines.js';
import { answers } from './input-answers.js';
import { checkCanAsk, InputNeeded } from './input-needed.js';

/** What a call needs of its connection. */
export interface CallHost<Context> {
  readonly context: Context;
  readonly deadlines: Deadlines;
  readonly timeoutMs: number;
  /** What a client of the legacy era has said when it initialized. */
  readonly legacy: LegacyClient;
  notify(method: string, params: Params): void;
  /** Asks a client of the legacy era. */
  askClient(request: InputRequest, signal: AbortSignal): Promise<InputResponse>;
  /** The time of a call is over: it is answered now. */
  timedOut(call: PendingCall<Context>): void;
}

/** What is known of a client of the legacy era. */
export interface LegacyClient {
  revision: string;
  info: Implementation | undefined;
  capabilities: ClientCapabilities;
  /** Of the messages of the log. `undefined`: all of them. */
  logLevel: LogLevel | undefined;
}

const NOTHING: { readonly [key: string]: never } = {};

/** A request from the time it came in until it is answered: everything that is known of it. */
export class PendingCall<Context = unknown> implements Call<Context>, Timed {
  readonly id: RequestId;
  readonly method: string;
  params: Params;
  /** Set on its way in. */
  era: Era = 'modern';
  /** What it weighs. */
  readonly bytes: number;
  /** Whether it may look through everything that is stored. */
  readonly isHeavy: boolean;
  inputResponses: InputResponses | undefined;
  requestState: unknown;
  /** Whether it was answered, or nobody waits for the answer. */
  isOver = false;
  dueAt = Infinity;
  readonly #host: CallHost<Context>;
  #carried: CarriedAnswers | undefined;
  #controller: AbortController | undefined;
  #reason: unknown;
  #isAborted = false;
  #lastProgress = Number.NEGATIVE_INFINITY;
  /** The time that is left while the clock stands. */
  #leftMs = 0;
  #pauses = 0;

  constructor(
    { id, method, params = NOTHING }: JsonRpcRequest,
    { bytes, isHeavy }: { bytes: number; isHeavy: boolean },
    host: CallHost<Context>,
  ) {
    this.id = id;
    this.method = method;
    this.params = params;
    this.bytes = bytes;
    this.isHeavy = isHeavy;
    this.#host = host;
  }

  get context(): Context {
    return this.#host.context;
  }

  /** What was asked of the client, and answered. */
  get carried(): CarriedAnswers {
    return (this.#carried ??= new CarriedAnswers());
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
    if (revision >= ELICITATION_SINCE) return capabilities;
    const { elicitation: _unknown, ...known } = capabilities;
    return known;
  }

  /** Made when somebody wants it: most calls are over before anybody could abort them. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#isAborted) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  get isAborted(): boolean {
    return this.#isAborted;
  }

  /** It is worked on from now on, for so long at most. */
  start(): void {
    this.dueAt = performance.now() + this.#host.timeoutMs;
    this.#host.deadlines.add(this);
  }

  /** Its clock stops for good; what it still sends is dropped. */
  end(): void {
    this.isOver = true;
    this.#host.deadlines.delete(this);
  }

  /** A stream is open for as long as its client likes, however large its request was. */
  forgetParams(): void {
    this.params = NOTHING;
  }

  /** Lets what works on it know that nobody waits any longer. */
  abort(reason: unknown): void {
    this.end();
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
  }

  expire(): void {
    this.#host.timedOut(this);
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
    // Each notification has to name more than the one before, in a number of JSON.
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
    const params = { level, data, ...(logger !== undefined && { logger }) };
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

  /** Asks a client of the legacy era; the time until it answers does not count. */
  async askClient(request: InputRequest, signal = this.signal): Promise<InputResponse> {
    checkCanAsk(request, this.clientCapabilities);
    return await this.whileAsking(() => this.#host.askClient(request, signal));
  }

  async #input(key: string, request: InputRequest): Promise<InputResponse> {
    const known = this.carried.get(key, request);
    // One that does not fit is asked for again.
    if (known && (await answers(request, known))) return known;
    if (this.era === 'modern') throw new InputNeeded(key, request);
    const response = await this.#asked(request);
    if (!(await answers(request, response))) {
      throw new ToolError('The client has answered a question in a way that does not fit.');
    }
    this.carried.set(key, request, response);
    return response;
  }

  async #asked(request: InputRequest): Promise<InputResponse> {
    try {
      return await this.askClient(request);
    } catch (error) {
      if (this.isOver) throw error;
      throw new ToolError(`The client was asked in vain: ${(error as Error).message}`);
    }
  }

  #isLogged(level: LogLevel): boolean {
    const isModern = this.era === 'modern';
    const wanted = isModern ? this.meta[META.logLevel] : this.#host.legacy.logLevel;
    if (wanted === undefined) return !isModern;
    return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(wanted as LogLevel);
  }

  #pause(): void {
    this.#pauses += 1;
    if (this.#pauses > 1) return;
    this.#leftMs = this.dueAt - performance.now();
    this.#host.deadlines.delete(this);
  }

  #resume(): void {
    this.#pauses -= 1;
    // A late answer of the user starts nothing again.
    if (this.#pauses > 0 || this.isOver) return;
    this.dueAt = performance.now() + this.#leftMs;
    this.#host.deadlines.add(this);
  }
}
