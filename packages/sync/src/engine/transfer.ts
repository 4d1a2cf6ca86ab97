import { bufferOf } from '@inpage-mcp/store/sync';
import type { Bytes } from '../keys/bytes.js';
import type { Payload } from '../keys/payload.js';
import { RecordError } from '../keys/record-error.js';
import {
  MAX_PIECE_BYTES,
  openPiece,
  openRecord,
  packPayload,
  sealPiece,
  sealRecord,
  unpackPayload,
} from '../keys/records.js';
import { nameOf, type VaultKeys } from '../keys/vault-keys.js';
import type { Entry } from '../merge/merge-entry.js';
import { RemoteError, type Remote } from '../remotes/remote.js';

/**
 * The number of pieces that are transferred at the same time, of all files together: some 2 MiB. Each has a
 * timeout of its own, so that more of them would never arrive over a slow connection.
 */
const PIECES_AT_ONCE = 4;

/** The number of pieces that are requested in one request. */
const ASKED_AT_ONCE = 64;

/** Records which pieces may be deleted from the server soon. */
export interface PieceWatch {
  /** Whether another device may be about to delete an existing piece, so that it has to be written again. */
  mayBeDeleted(name: string): boolean;
  /** Called after a piece was written. */
  noteWritten(name: string): void;
}

/** Seals the data for the server, and opens the data from it. */
export class Transfer {
  readonly #remote: Remote;
  readonly #keys: () => VaultKeys;
  readonly #watch: PieceWatch;
  #running = 0;
  /** The transfers of pieces that wait for their turn. */
  readonly #waiting: { start: () => void; fail: (error: RemoteError) => void }[] = [];

  constructor(remote: Remote, keys: () => VaultKeys, watch: PieceWatch) {
    this.#remote = remote;
    this.#keys = keys;
    this.#watch = watch;
  }

  async nameOf(kind: 'note' | 'file' | 'device', key: string): Promise<string> {
    return await nameOf(this.#keys(), kind, key);
  }

  /**
   * Writes the record of a payload. If the payload does not fit into the record, writes it as pieces.
   *
   * @returns The version of the record.
   * @throws RemoteError, `conflict` among them.
   */
  async send(
    name: string,
    payload: Payload,
    expected: string,
    signal: AbortSignal,
  ): Promise<string> {
    const keys = this.#keys();
    let record = await sealRecord(keys, name, payload);
    if (record === 'too-large') {
      const { v, key, counter, kind } = payload as Entry;
      const packed = await this.sendBytes(new Blob([await packPayload(payload)]), signal);
      record = await sealRecord(keys, name, { v, kind, key, counter, packed });
    }
    // A list of names always fits into a record.
    return await this.#remote.put(name, record as Bytes, expected, signal);
  }

  /**
   * Opens a record, whose payload may be in pieces: see {@link unpack}.
   *
   * @throws {RecordError}
   */
  async open(name: string, record: Uint8Array): Promise<Payload> {
    return await openRecord(this.#keys(), name, record);
  }

  /**
   * Fetches the pieces of a payload that did not fit into its record; other payloads stay as they are.
   *
   * @throws {RecordError}
   */
  async unpack(name: string, payload: Payload, signal: AbortSignal): Promise<Payload> {
    if (!('packed' in payload)) return payload;
    const parts: BlobPart[] = [];
    for await (const part of this.receiveBytes(payload['packed'] as string[], signal))
      parts.push(part);
    const packed = new Uint8Array(await new Blob(parts).arrayBuffer());
    const unpacked = await unpackPayload(this.#keys(), name, packed);
    const isSame = !('packed' in unpacked) && unpacked.counter === payload.counter;
    if (!isSame) throw new RecordError('invalid', 'The pieces of a record belong to another one.');
    return unpacked;
  }

  /**
   * The pieces that a record needs.
   *
   * @throws {RecordError}
   */
  async piecesOf(name: string, record: Uint8Array, signal: AbortSignal): Promise<string[]> {
    const payload = await this.open(name, record);
    const packed = 'packed' in payload ? (payload['packed'] as string[]) : [];
    const entry = payload.kind === 'file' ? await this.unpack(name, payload, signal) : payload;
    return 'pieces' in entry ? [...packed, ...(entry['pieces'] as string[])] : packed;
  }

  /**
   * Writes the pieces that the server does not have. Returns the names of all, in their order.
   *
   * @throws RemoteError; StoreError `unreadable` if the bytes cannot be read.
   */
  async sendBytes(bytes: Blob, signal: AbortSignal): Promise<string[]> {
    const names: string[] = [];
    const size = MAX_PIECE_BYTES * ASKED_AT_ONCE;
    for (let start = 0; start < bytes.size; start += size)
      names.push(...(await this.#sendSome(bytes.slice(start, start + size), signal)));
    return names;
  }

  /** The contents of pieces, in their order. */
  async *receiveBytes(names: readonly string[], signal: AbortSignal): AsyncGenerator<Bytes> {
    const coming: Promise<Bytes>[] = [];
    for (let next = 0; next < names.length; next += 1) {
      while (coming.length < PIECES_AT_ONCE && next + coming.length < names.length) {
        const piece = this.#receive(names[next + coming.length]!, signal);
        // If an earlier piece fails, the promises of the others are not awaited.
        piece.catch(() => undefined);
        coming.push(piece);
      }
      yield await coming.shift()!;
    }
  }

  async #sendSome(bytes: Blob, signal: AbortSignal): Promise<string[]> {
    const pieces: { name: string; piece: Blob }[] = [];
    for (let start = 0; start < bytes.size; start += MAX_PIECE_BYTES) {
      const piece = bytes.slice(start, start + MAX_PIECE_BYTES);
      pieces.push({ name: await this.#nameOfPiece(await bufferOf(piece)), piece });
    }
    const names = pieces.map(({ name }) => name);
    const known = await this.#remote.pieces.has(names, signal);
    const missing = pieces.filter(({ name }) => !known.has(name) || this.#watch.mayBeDeleted(name));
    while (missing.length > 0) {
      const some = missing.splice(0, PIECES_AT_ONCE);
      await Promise.all(
        some.map(({ name, piece }) =>
          this.#inTurn(signal, async () => {
            const content = new Uint8Array(await bufferOf(piece));
            const sealed = await sealPiece(this.#keys(), name, content);
            await this.#remote.pieces.put(name, sealed, signal, known.has(name));
            this.#watch.noteWritten(name);
          }),
        ),
      );
    }
    return names;
  }

  async #receive(name: string, signal: AbortSignal): Promise<Bytes> {
    return await this.#inTurn(signal, async () => {
      const sealed = await this.#remote.pieces.get(name, signal);
      // After a server went back in time, the device that has the file writes the piece again.
      if (!sealed) throw new RecordError('damaged', 'A piece of a file is not on the server.');
      return (await openPiece(this.#keys(), name, sealed)) as Bytes;
    });
  }

  /** Transfers a piece when fewer than {@link PIECES_AT_ONCE} others are transferred. */
  async #inTurn<Value>(signal: AbortSignal, transfer: () => Promise<Value>): Promise<Value> {
    if (this.#running < PIECES_AT_ONCE) this.#running += 1;
    else
      await new Promise<void>((start, fail) => {
        this.#waiting.push({ start, fail });
      });
    try {
      signal.throwIfAborted();
      return await transfer();
    } catch (error) {
      // Otherwise, each of them would wait for the timeout of a server that does not answer.
      if (error instanceof RemoteError && error.code === 'unavailable')
        for (const { fail } of this.#waiting.splice(0)) fail(error);
      throw error;
    } finally {
      const next = this.#waiting.shift();
      if (next) next.start();
      else this.#running -= 1;
    }
  }

  /** The name of a piece, derived from its content, so that an existing piece is not sent again. */
  async #nameOfPiece(content: ArrayBuffer): Promise<string> {
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', content));
    return await nameOf(this.#keys(), 'piece', digest.toString());
  }
}
