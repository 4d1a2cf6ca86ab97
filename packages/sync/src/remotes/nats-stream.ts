import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiError,
  jetstream,
  jetstreamManager,
  type Consumer,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import {
  AuthorizationError,
  PermissionViolationError,
  UserAuthenticationExpiredError,
  jwtAuthenticator,
  nanos,
  wsconnect,
  type ConnectionOptions,
  type NatsConnection,
} from '@nats-io/nats-core';
import { REQUEST_TIMEOUT_MS, abortable, isName } from './checks.js';
import { NATS_TIMEOUT_MS, type NatsCredentials, type NatsOptions } from './nats-options.js';
import { RemoteError, type RemoteErrorCode } from './remote.js';

/**
 * The interval of pings to the server, in milliseconds; it counts as gone when it has not answered two of
 * them.
 */
const PING_MS = 15_000;

/** The time that an unused connection stays open, in milliseconds: an open one costs the server 20 kB. */
const IDLE_MS = 10_000;

/**
 * The number of messages that are requested at once; in memory, each may have the maximum size of a record.
 */
const BATCH = 100;

/** The time that the server keeps the position of a reader of changes, in milliseconds. */
const CONSUMER_IDLE_MS = 120_000;

/** The numbers of JetStream's errors with a meaning for this adapter. */
export const WRONG_LAST_SEQUENCE = [10071, 10164];
export const DELETE_FAILED = [10057];
const NO_ROOM = [10002, 10023, 10026, 10028, 10047, 10077, 10122];
const STREAM_NOT_FOUND = 10059;
/**
 * The numbers that mean "not yet". The second one is of a cluster that knows too few of its servers: "no
 * suitable peers for placement".
 */
const NOT_YET = [STREAM_NOT_FOUND, 10005];
const STREAM_NAME_IN_USE = 10058;

/** An open connection, with its clients. */
interface Session {
  connection: NatsConnection;
  client: JetStreamClient;
  manager: JetStreamManager;
  /** Reads pieces, which may take longer than small requests. */
  pieces: JetStreamManager['direct'];
}

/** A stream, and the connection to it. */
export class Stream {
  readonly name: string;
  readonly liveSubject: string;
  readonly #options: NatsOptions;
  readonly #prefix: string;
  #session: Promise<Session> | undefined;
  #uses = 0;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(options: NatsOptions) {
    const { stream = 'inpage-mcp', subjectPrefix = stream } = options;
    this.#options = options;
    this.#prefix = subjectPrefix;
    this.name = stream;
    this.liveSubject = `${subjectPrefix}.live.>`;
  }

  recordSubject(name: string): string {
    return `${this.#prefix}.record.${name}`;
  }

  pieceSubject(name: string): string {
    return `${this.#prefix}.piece.${name}`;
  }

  /** Runs a function with the connection; rejects when the signal is aborted. */
  async use<Value>(signal: AbortSignal, act: (session: Session) => Promise<Value>): Promise<Value> {
    const { session, release } = await this.acquire(signal);
    try {
      return await abortable(act(session), signal);
    } catch (error) {
      throw remoteError(error, signal);
    } finally {
      release();
    }
  }

  /** The connection; it stays open at least until it is released. */
  async acquire(signal: AbortSignal): Promise<{ session: Session; release: () => void }> {
    clearTimeout(this.#idle);
    this.#uses += 1;
    try {
      signal.throwIfAborted();
      this.#session ??= this.#connect();
      const session = await abortable(this.#session, signal);
      return { session, release: () => this.#release() };
    } catch (error) {
      this.#release();
      throw remoteError(error, signal);
    }
  }

  #release(): void {
    this.#uses -= 1;
    if (this.#uses > 0) return;
    this.#idle = setTimeout(() => {
      const session = this.#session;
      this.#session = undefined;
      session?.then(
        ({ connection }) => connection.close(),
        () => undefined,
      );
    }, IDLE_MS);
  }

  #connect(): Promise<Session> {
    const opening = this.#open();
    const forget = (): void => {
      if (this.#session === opening) this.#session = undefined;
    };
    opening.then(({ connection }) => connection.closed(), forget).finally(forget);
    return opening;
  }

  async #open(): Promise<Session> {
    const asked = Promise.resolve(this.#options.credentials?.());
    const credentials = await abortable(asked, AbortSignal.timeout(REQUEST_TIMEOUT_MS));
    const connection = await this.#connectToAny(credentials);
    const options = { timeout: NATS_TIMEOUT_MS, checkAPI: false };
    const manager = await jetstreamManager(connection, options);
    const patient = { ...options, timeout: REQUEST_TIMEOUT_MS };
    const { direct: pieces } = await jetstreamManager(connection, patient);
    return { connection, manager, pieces, client: jetstream(connection, options) };
  }

  /**
   * Connects to any server that answers: a client that may not reconnect gives up at the first server that
   * does not answer.
   */
  async #connectToAny(credentials: NatsCredentials | undefined): Promise<NatsConnection> {
    const servers = [this.#options.servers].flat();
    const first = Math.floor(Math.random() * servers.length);
    let failure: unknown;
    for (const server of [...servers.slice(first), ...servers.slice(0, first)]) {
      try {
        return await this.#connectTo(server, credentials);
      } catch (error) {
        failure = error;
        // Each server of a cluster knows the same users.
        if (isRefusal(error)) break;
      }
    }
    throw failure;
  }

  async #connectTo(
    server: string,
    credentials: NatsCredentials | undefined,
  ): Promise<NatsConnection> {
    return await wsconnect({
      servers: server,
      ...authentication(credentials),
      // The engine decides when to connect again: each failed attempt of the client's own loop is an event,
      // and a night offline causes thousands of them.
      reconnect: false,
      // A browser cannot reach the addresses that servers have for each other.
      ignoreClusterUpdates: true,
      timeout: NATS_TIMEOUT_MS,
      pingInterval: PING_MS,
    });
  }

  /** The stream as it is; created if it does not exist. */
  async open(manager: JetStreamManager): Promise<StreamInfo> {
    try {
      return checkedStream(await manager.streams.info(this.name), this.#config());
    } catch (error) {
      if (!isApiError(error, [STREAM_NOT_FOUND])) throw error;
    }
    try {
      return await manager.streams.add(this.#config());
    } catch (error) {
      // Another device has created it first.
      if (!isApiError(error, [STREAM_NAME_IN_USE])) throw error;
      return checkedStream(await manager.streams.info(this.name), this.#config());
    }
  }

  #config() {
    return {
      name: this.name,
      subjects: [this.recordSubject('>'), this.pieceSubject('>')],
      // The stream keeps the last message of each record, even without room for more: then new ones are
      // refused.
      max_msgs_per_subject: 1,
      discard: DiscardPolicy.New,
      allow_direct: true,
      num_replicas: this.#options.replicas ?? 1,
      // Subscribers of the records' own subjects would also get writes that the stream has refused.
      republish: {
        src: this.recordSubject('>'),
        dest: `${this.#prefix}.live.>`,
        headers_only: true,
      },
    } satisfies Partial<StreamConfig>;
  }

  /** The messages below a subject, from a sequence to the last one at the time of the call, in order. */
  async *messages(
    prefix: string,
    first: number,
    headersOnly: boolean,
    signal: AbortSignal,
  ): AsyncGenerator<JsMsg> {
    const { session, release } = await this.acquire(signal);
    const { consumers, streams } = session.manager;
    let name: string | undefined;
    try {
      const { state } = await abortable(streams.info(this.name), signal);
      if (first > state.last_seq) return;
      const config = {
        ack_policy: AckPolicy.None,
        deliver_policy: DeliverPolicy.StartSequence,
        opt_start_seq: first,
        filter_subject: `${prefix}>`,
        headers_only: headersOnly,
        inactive_threshold: nanos(CONSUMER_IDLE_MS),
        num_replicas: 1,
        mem_storage: true,
      };
      const created = await abortable(consumers.add(this.name, config), signal);
      ({ name } = created);
      const consumer = await abortable(session.client.consumers.get(this.name, name), signal);
      yield* this.#batches(consumer, created.num_pending, state.last_seq, signal);
    } catch (error) {
      throw remoteError(error, signal);
    } finally {
      // Otherwise, the server deletes the consumer after some time.
      if (name !== undefined) consumers.delete(this.name, name).catch(() => undefined);
      release();
    }
  }

  async *#batches(
    consumer: Consumer,
    count: number,
    end: number,
    signal: AbortSignal,
  ): AsyncGenerator<JsMsg> {
    let delivered = 0;
    for (let waiting = count; waiting > 0;) {
      const batch = await abortable(collect(consumer, Math.min(waiting, BATCH)), signal);
      if (batch.length === 0) throw new RemoteError('unavailable', 'The server does not go on.');
      for (const message of batch) {
        delivered += 1;
        if (message.info.deliverySequence !== delivered)
          throw new RemoteError('unavailable', 'A message got lost on its way.');
        if (message.seq > end) return;
        yield message;
        waiting = message.seq === end ? 0 : message.info.pending;
      }
    }
  }
}

/**
 * The next messages of a consumer. All are collected first, so that the time of handling each does not
 * matter.
 */
async function collect(consumer: Consumer, count: number): Promise<JsMsg[]> {
  const batch = [];
  const messages = await consumer.fetch({ max_messages: count, expires: NATS_TIMEOUT_MS });
  for await (const message of messages) batch.push(message);
  return batch;
}

function authentication(credentials: NatsCredentials | undefined): ConnectionOptions {
  if (!credentials || !('jwt' in credentials)) return credentials ?? {};
  return { authenticator: jwtAuthenticator(credentials.jwt, credentials.seed) };
}

/**
 * Checks the configuration of an existing stream.
 *
 * @throws RemoteError `invalid` if it does not have the features that a remote needs.
 */
function checkedStream(info: StreamInfo, wanted: Partial<StreamConfig>): StreamInfo {
  const { config } = info;
  const fits =
    config.max_msgs_per_subject === 1 &&
    config.discard === wanted.discard &&
    config.allow_direct &&
    wanted.subjects?.every((subject) => config.subjects.includes(subject)) &&
    config.republish?.dest === wanted.republish?.dest;
  if (fits) return info;
  throw new RemoteError('invalid', `The stream ${config.name} needs ${JSON.stringify(wanted)}.`);
}

/**
 * The name of a record or piece in a subject, below a prefix; `undefined` if the message is from another
 * program.
 */
export function nameIn(subject: string, prefix: string): string | undefined {
  const name = subject.slice(prefix.length);
  return subject.startsWith(prefix) && isName(name) ? name : undefined;
}

/** Whether an error is one of JetStream's errors with these numbers. */
export const isApiError = (error: unknown, codes: readonly number[]): boolean =>
  error instanceof JetStreamApiError && codes.includes(error.code);

function remoteError(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof RemoteError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new RemoteError(codeOf(error), message, { cause: error });
}

const isRefusal = (error: unknown): boolean =>
  error instanceof AuthorizationError ||
  error instanceof UserAuthenticationExpiredError ||
  error instanceof PermissionViolationError;

function codeOf(error: unknown): RemoteErrorCode {
  // The client wraps the error of a request.
  if (isRefusal(error) || (error instanceof Error && isRefusal(error.cause))) return 'unauthorized';
  if (!(error instanceof JetStreamApiError)) return 'unavailable';
  if (WRONG_LAST_SEQUENCE.includes(error.code)) return 'conflict';
  if (NO_ROOM.includes(error.code)) return 'full';
  // During an election, a server of a cluster has no JetStream.
  if (error.status >= 500 || NOT_YET.includes(error.code)) return 'unavailable';
  return 'invalid';
}
