/**
 * What a server must be able to do so that the devices of a user can meet there: a `Remote` is the
 * adapter of one. It stores records of bytes under names, knows nothing of notes and keys, and never sees
 * what is in a record.
 *
 * Each function ends with an error when its signal is aborted, and as soon as it can. Errors:
 * {@link RemoteError} with the code that says what to do; anything else counts as `unavailable`.
 */
export interface Remote {
  /** Which records these are, and how many changes they have seen. Creates them where there are none. */
  state(signal: AbortSignal): Promise<RemoteState>;

  /**
   * The records that have changed after a position, each once, in the order of their last change; at the
   * end of what there was at the call it ends. May leave out what it has delivered before, and nothing else.
   *
   * @param position of the last change that is known; '' for the beginning
   */
  since(position: string, signal: AbortSignal): AsyncIterable<RemoteChange>;

  /** The record of a name, also a deleted one; `undefined` where none was ever. */
  get(name: string, signal: AbortSignal): Promise<RemoteRecord | undefined>;

  /**
   * Writes a record if nobody else has written it since.
   *
   * @param bytes at most {@link MAX_RECORD_BYTES}; `null` deletes it and leaves a mark
   * @param expected the version that is replaced; '' where there is none
   * @returns its version
   * @throws RemoteError `conflict` where it has another version, also that of the same write before
   */
  put(
    name: string,
    bytes: Uint8Array | null,
    expected: string,
    signal: AbortSignal,
  ): Promise<string>;

  /** The names and versions of all records, deleted ones too, in any order. */
  list(signal: AbortSignal): AsyncIterable<Omit<RemoteChange, 'bytes' | 'position'>>;

  /**
   * Calls the listener once it listens, and after each change that anybody makes, without telling which.
   * Ends only with an error: when the signal is aborted, and when it can no longer tell.
   */
  live(listener: () => void, signal: AbortSignal): Promise<never>;

  /** Pieces of files: what is in one never changes. */
  readonly pieces: RemotePieces;
}

/** Where the pieces of files are. */
export interface RemotePieces {
  /** `undefined` where there is none. */
  get(name: string, signal: AbortSignal): Promise<Uint8Array | undefined>;

  /**
   * Writes a piece, unless there is one of this name.
   *
   * @param bytes at most {@link MAX_RECORD_BYTES}
   * @param isAgain Whether one that is there is written again, and gets another version: a device that
   *   deletes the former one leaves it. Default: `false`
   */
  put(name: string, bytes: Uint8Array, signal: AbortSignal, isAgain?: boolean): Promise<void>;

  /** Those of these names that are there. */
  has(names: readonly string[], signal: AbortSignal): Promise<Set<string>>;

  /** The names and versions of all, in any order. */
  list(signal: AbortSignal): AsyncIterable<RemotePiece>;

  /** Deletes pieces, where they are there; of those with a version only that one. */
  delete(pieces: readonly UnwantedPiece[], signal: AbortSignal): Promise<void>;
}

/** A piece that is to be deleted; without a version, whichever there is. */
export type UnwantedPiece = Pick<RemotePiece, 'name'> & Partial<RemotePiece>;

/** A piece as it was written. */
export interface RemotePiece {
  name: string;
  /** Identifies the write, among those of this piece. Never ''. */
  version: string;
}

/** Which records a remote has. */
export interface RemoteState {
  /** Another one where the records were made anew, and their positions begin again. */
  epoch: string;
  /** The position of the last change; '' before the first. */
  position: string;
  /** A number that no change makes lower: it is lower where the server has gone back in time. */
  changes: number;
}

/** A record as it is now. */
export interface RemoteRecord {
  /**
   * Identifies the write: two writes of a record never have the same, also where the server has gone back
   * between them. Never ''.
   */
  version: string;
  /** `null` once it is deleted. */
  bytes: Uint8Array | null;
  /**
   * The bytes of writes that the server has accepted beside this one, because its nodes had lost each other.
   * They are to be merged, too, and a write that expects this version removes them. Default: there are none.
   */
  rivals?: Uint8Array[];
}

/** The last change of a record. */
export interface RemoteChange extends RemoteRecord {
  name: string;
  /** The position of this change: see {@link Remote.since}. */
  position: string;
}

/**
 * The largest record and the largest piece, in bytes: what a NATS server of 1 MiB takes, beside its
 * headers.
 */
export const MAX_RECORD_BYTES = 1_000_000;

/** The longest name, in characters of `A-Z a-z 0-9 - _`. */
export const MAX_NAME_LENGTH = 64;

/**
 * Why a remote could not do what it should.
 *
 * - `conflict`: the record has another version
 * - `unavailable`: not now; the same may work later
 * - `unauthorized`: the credentials are missing, wrong or have expired, or do not allow this
 * - `full`: no room is left for this user
 * - `invalid`: the server answers what no such server answers, or takes no such record
 */
export type RemoteErrorCode = 'conflict' | 'unavailable' | 'unauthorized' | 'full' | 'invalid';

/** An error of a remote; `message` is for people who run the server. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  readonly code: RemoteErrorCode;

  constructor(code: RemoteErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
