/**
 * The capabilities of a server at which the devices of a user meet: a `Remote` is the adapter of one. It
 * stores records of bytes under names, does not know about notes and keys, and cannot read the content of a
 * record.
 *
 * Each function rejects when its signal is aborted, and as soon as it can. Errors: {@link RemoteError} with
 * the code that says what to do; anything else counts as `unavailable`.
 */
export interface Remote {
  /**
   * The identity of the records, and the number of their changes. Creates the storage if it does not exist.
   */
  state(signal: AbortSignal): Promise<RemoteState>;

  /**
   * The records that have changed after a position, each once, in the order of their last change. It ends
   * with the last change at the time of the call. It may leave out only changes that it has delivered before.
   *
   * @param position The position of the last known change; '' for the beginning.
   */
  since(position: string, signal: AbortSignal): AsyncIterable<RemoteChange>;

  /** The record of a name, also a deleted one; `undefined` if it has never existed. */
  get(name: string, signal: AbortSignal): Promise<RemoteRecord | undefined>;

  /**
   * Writes a record, unless another client has written it since.
   *
   * @param bytes At most {@link MAX_RECORD_BYTES}; `null` deletes it and leaves a mark.
   * @param expected The version that is replaced; '' if the record does not exist.
   * @returns The version of the record.
   * @throws RemoteError `conflict` if it has another version, even that of an earlier attempt of the same
   *   write.
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
   * Calls the listener after each change that any client makes after this call, without naming the change;
   * more calls do no harm. Ends only with an error: when the signal is aborted, and when it can no longer
   * report changes.
   */
  live(listener: () => void, signal: AbortSignal): Promise<never>;

  /** The pieces of files; the content of a piece never changes. */
  readonly pieces: RemotePieces;
}

/** The storage of the pieces of files. */
export interface RemotePieces {
  /** The content of a piece, empty if it is malformed; `undefined` if it does not exist. */
  get(name: string, signal: AbortSignal): Promise<Uint8Array | undefined>;

  /**
   * Writes a piece, unless one with this name exists.
   *
   * @param bytes At most {@link MAX_RECORD_BYTES}.
   * @param isAgain Whether an existing piece is written again, and gets another version, so that a device
   *   which deletes the former one leaves it. Default: `false`.
   */
  put(name: string, bytes: Uint8Array, signal: AbortSignal, isAgain?: boolean): Promise<void>;

  /** The names, among these, of the pieces that exist. */
  has(names: readonly string[], signal: AbortSignal): Promise<Set<string>>;

  /** The names and versions of all pieces, in any order. */
  list(signal: AbortSignal): AsyncIterable<RemotePiece>;

  /** Deletes pieces, if they exist; a piece with a version is deleted only in that version. */
  delete(pieces: readonly UnwantedPiece[], signal: AbortSignal): Promise<void>;
}

/** A piece to be deleted; without a version, any version of it. */
export type UnwantedPiece = Pick<RemotePiece, 'name'> & Partial<RemotePiece>;

/** A piece as it was written. */
export interface RemotePiece {
  name: string;
  /** The id of the write, unique among those of this piece. Never ''. */
  version: string;
}

/** The identity and the state of a remote's records. */
export interface RemoteState {
  /**
   * The id of these records. It is another one if the records were created again, so that their positions
   * begin again.
   */
  epoch: string;
  /** The position of the last change; '' before the first. */
  position: string;
  /** A number that no change decreases: it is lower only if the server has gone back in time. */
  changes: number;
}

/** A record as it is now. */
export interface RemoteRecord {
  /**
   * The id of the write: two writes of a record never have the same, even if the server has gone back between
   * them. Never ''.
   */
  version: string;
  /**
   * The bytes; `null` if the record is deleted. They are empty if another program has written a malformed
   * record: the engine passes over a record that it cannot open, while an error would end each round here.
   */
  bytes: Uint8Array | null;
  /**
   * The bytes of writes that the server has accepted in addition to this one, because its nodes had lost each
   * other. They are to be merged, too, and a write that expects this version removes them. Default: none.
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
 * The maximum size of a record and of a piece, in bytes: the limit of a NATS server of 1 MiB, without its
 * headers.
 */
export const MAX_RECORD_BYTES = 1_000_000;

/** The maximum length of a name, in characters of `A-Z a-z 0-9 - _`. */
export const MAX_NAME_LENGTH = 64;

/**
 * The reason why a remote has failed.
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
