import type { JetStreamManager } from '@nats-io/jetstream';
import { headers as newHeaders, type MsgHdrs, type Subscription } from '@nats-io/nats-core';
import { REQUEST_TIMEOUT_MS, abortable, checkName, checkWrite, chunks } from './checks.js';
import type { NatsOptions } from './nats-options.js';
import { DELETE_FAILED, isApiError, nameIn, Stream, WRONG_LAST_SEQUENCE } from './nats-stream.js';
import {
  MAX_RECORD_BYTES,
  RemoteError,
  type Remote,
  type RemoteChange,
  type RemotePiece,
  type RemotePieces,
  type RemoteRecord,
  type RemoteState,
  type UnwantedPiece,
} from './remote.js';

export { NATS_TIMEOUT_MS, type NatsCredentials, type NatsOptions } from './nats-options.js';

/** The number of pieces that are requested at once. */
const PIECES_AT_ONCE = 32;

/** The header of a message that deletes a record. */
const DELETED = 'Inpage-Mcp-Deleted';

/**
 * The header that names a write, because a server that has gone back gives the same sequence to another
 * write.
 */
const WRITE = 'Inpage-Mcp-Write';

/**
 * A stream of NATS JetStream as a remote, over WebSocket: each record is a message, of which the stream keeps
 * the last.
 *
 * Each user has a separate account, because permissions inside of one account do not separate users
 * (nats-server#8274). The adapter connects at the first call, and again at the call after a connection has
 * ended; it never retries by itself. Without calls, the connection is closed soon.
 */
export function natsRemote(options: NatsOptions): Remote {
  return new NatsRemote(new Stream(options));
}

class NatsRemote implements Remote {
  readonly pieces: RemotePieces;
  readonly #stream: Stream;

  constructor(stream: Stream) {
    this.#stream = stream;
    this.pieces = new NatsPieces(stream);
  }

  state(signal: AbortSignal): Promise<RemoteState> {
    return this.#stream.use(signal, async ({ manager }) => {
      const { created, state } = await this.#stream.open(manager);
      const { last_seq: last } = state;
      return { epoch: created, position: last > 0 ? String(last) : '', changes: last };
    });
  }

  async *since(position: string, signal: AbortSignal): AsyncGenerator<RemoteChange> {
    const first = sequenceOf(position || '0') + 1;
    const records = this.#stream.recordSubject('');
    for await (const message of this.#stream.messages(records, first, false, signal)) {
      const name = nameIn(message.subject, records);
      const record = recordOf(message.seq, message.data, message.headers);
      if (name !== undefined) yield { name, position: String(message.seq), ...record };
    }
  }

  async *list(signal: AbortSignal): AsyncGenerator<Pick<RemoteChange, 'name' | 'version'>> {
    const records = this.#stream.recordSubject('');
    for await (const { subject, seq, headers } of this.#stream.messages(records, 1, true, signal)) {
      const name = nameIn(subject, records);
      if (name !== undefined) yield { name, version: versionOf(seq, headers) };
    }
  }

  async get(name: string, signal: AbortSignal): Promise<RemoteRecord | undefined> {
    checkName(name);
    return await this.#stream.use(signal, async ({ manager }) => {
      // A direct get is not used, because a replica that is behind may answer it.
      const query = { last_by_subj: this.#stream.recordSubject(name) };
      const found = await manager.streams.getMessage(this.#stream.name, query);
      return found ? recordOf(found.seq, found.data, found.header) : undefined;
    });
  }

  async put(
    name: string,
    bytes: Uint8Array | null,
    expected: string,
    signal: AbortSignal,
  ): Promise<string> {
    checkWrite(name, bytes);
    return await this.#stream.use(signal, async ({ client }) => {
      const lastSubjectSequence = expectedSequence(name, expected);
      const headers = newHeaders();
      headers.set(WRITE, crypto.randomUUID().slice(0, 8));
      if (!bytes) headers.set(DELETED, 'true');
      const expect = { lastSubjectSequence, streamName: this.#stream.name };
      const subject = this.#stream.recordSubject(name);
      const { seq } = await client.publish(subject, bytes ?? new Uint8Array(), { headers, expect });
      return versionOf(seq, headers);
    });
  }

  live(listener: () => void, signal: AbortSignal): Promise<never> {
    return this.#stream.use(signal, async ({ connection }) => {
      const subscription = connection.subscribe(this.#stream.liveSubject);
      try {
        await abortable(notify(subscription, listener), signal);
        throw (
          (await connection.closed()) ?? new RemoteError('unavailable', 'The connection ended.')
        );
      } finally {
        subscription.unsubscribe();
      }
    });
  }
}

class NatsPieces implements RemotePieces {
  readonly #stream: Stream;

  constructor(stream: Stream) {
    this.#stream = stream;
  }

  async get(name: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
    checkName(name);
    return await this.#stream.use(signal, async ({ pieces }) => {
      // A piece never changes, so any replica may answer.
      const query = { last_by_subj: this.#stream.pieceSubject(name) };
      const found = await pieces.getMessage(this.#stream.name, query);
      return found ? checkedBytes(found.data) : undefined;
    });
  }

  async put(name: string, bytes: Uint8Array, signal: AbortSignal, isAgain = false): Promise<void> {
    checkWrite(name, bytes);
    await this.#stream.use(signal, async ({ client }) => {
      const streamName = this.#stream.name;
      const expect = isAgain ? { streamName } : { streamName, lastSubjectSequence: 0 };
      const options = { expect, timeout: REQUEST_TIMEOUT_MS };
      try {
        await client.publish(this.#stream.pieceSubject(name), bytes, options);
      } catch (error) {
        if (!isApiError(error, WRONG_LAST_SEQUENCE)) throw error;
      }
    });
  }

  async has(names: readonly string[], signal: AbortSignal): Promise<Set<string>> {
    names.forEach(checkName);
    const found = new Set<string>();
    await this.#each(names, signal, async (manager, name) => {
      const subject = this.#stream.pieceSubject(name);
      const { state } = await manager.streams.info(this.#stream.name, { subjects_filter: subject });
      if (state.subjects && Object.hasOwn(state.subjects, subject)) found.add(name);
    });
    return found;
  }

  async *list(signal: AbortSignal): AsyncGenerator<RemotePiece> {
    const pieces = this.#stream.pieceSubject('');
    for await (const { subject, seq } of this.#stream.messages(pieces, 1, true, signal)) {
      const name = nameIn(subject, pieces);
      if (name !== undefined) yield { name, version: String(checkedSequence(seq)) };
    }
  }

  async delete(pieces: readonly UnwantedPiece[], signal: AbortSignal): Promise<void> {
    for (const { name } of pieces) checkName(name);
    await this.#each(pieces, signal, async ({ streams }, { name, version }) => {
      const stream = this.#stream.name;
      if (version === undefined)
        await streams.purge(stream, { filter: this.#stream.pieceSubject(name) });
      else await this.#deleteMessage(streams, sequenceOf(version));
    });
  }

  /** Deletes a message. Ignores one that no longer exists, or that the stream does not delete. */
  async #deleteMessage(streams: JetStreamManager['streams'], sequence: number): Promise<void> {
    try {
      await streams.deleteMessage(this.#stream.name, sequence, false);
    } catch (error) {
      if (!isApiError(error, DELETE_FAILED)) throw error;
    }
  }

  #each<Value>(
    values: readonly Value[],
    signal: AbortSignal,
    act: (manager: JetStreamManager, value: Value) => Promise<void>,
  ): Promise<void> {
    return this.#stream.use(signal, async ({ manager }) => {
      for (const chunk of chunks(values, PIECES_AT_ONCE)) {
        signal.throwIfAborted();
        await Promise.all(chunk.map((value) => act(manager, value)));
      }
    });
  }
}

function recordOf(seq: number, data: Uint8Array, headers: MsgHdrs | undefined): RemoteRecord {
  const version = versionOf(seq, headers);
  return { version, bytes: headers?.has(DELETED) ? null : checkedBytes(data) };
}

/** The version of a message. Earlier versions of this package named no write. */
function versionOf(seq: number, headers: MsgHdrs | undefined): string {
  const write = headers?.get(WRITE) ?? '';
  return checkedSequence(seq) + (/^[\da-f]{8}$/.test(write) ? `.${write}` : '');
}

/** The bytes of a message; none if they are too many: see RemoteRecord. */
function checkedBytes(data: Uint8Array): Uint8Array {
  return data.length <= MAX_RECORD_BYTES ? data : new Uint8Array();
}

function checkedSequence(sequence: number): number {
  if (Number.isSafeInteger(sequence) && sequence > 0) return sequence;
  throw new RemoteError('invalid', 'The server has a message without a sequence.');
}

function sequenceOf(position: string): number {
  if (/^\d{1,15}$/.test(position)) return Number(position);
  throw new RemoteError('invalid', `${position.slice(0, 100)} is not a position.`);
}

function expectedSequence(name: string, version: string): number {
  if (/^(?:[1-9]\d{0,14}(?:\.[\da-f]{8})?)?$/.test(version)) return Number(version.split('.')[0]);
  throw new RemoteError('conflict', `${name} has no version ${version.slice(0, 100)}.`);
}

/** Calls the listener for each message of a subscription, until it ends with its connection. */
async function notify(subscription: Subscription, listener: () => void): Promise<void> {
  for await (const { subject } of subscription) if (subject) listener();
}
