import type { RecordError } from '../keys/record-error.js';
import type { VaultKeys } from '../keys/vault-keys.js';
import type { SentEntries } from './sent-entries.js';

/**
 * The state of a joined device in the database: it is lost, cleared and restored together with the entries.
 */
export interface SyncState {
  v: 1;
  keys: VaultKeys;
  /**
   * The key ring as it was last read or written, for a server that loses it. Earlier versions did not store
   * it.
   */
  ring?: Uint8Array;
  /** Whether the user has paused the sync. */
  isPaused?: boolean;
  /** This device, as the other devices see it. */
  device: { id: string; name: string };
  /** The server at the end of the last round: see RemoteState. */
  epoch: string;
  changes: number;
  /**
   * The time of the last comparison with the server, in milliseconds since 1970. Earlier versions did not
   * store it.
   */
  comparedAt?: number;
  /** The pieces on the server that no record needs, by name. Earlier versions did not store them. */
  unneeded?: ReadonlyMap<string, UnneededPiece>;
  /** The time of the last check of the pieces, in milliseconds since 1970; -1 if it no longer counts. */
  sweptAt?: number;
  /** The records that cannot be opened, with the reason, by name. Earlier versions did not store them. */
  unusable?: ReadonlyMap<string, RecordError['code']>;
  /** The names of records of files that are still to be fetched. */
  waiting: ReadonlySet<string>;
  /** The versions that the server may have already. Earlier versions did not store them. */
  sent?: SentEntries;
  /** The entries that both sides had changed, the latest last; at most {@link MAX_CONFLICTS}. */
  conflicts: readonly Conflict[];
  /** The devices of the user, by their ids; at most {@link MAX_DEVICES}. */
  devices: ReadonlyMap<string, Device>;
  /** The time when the last round succeeded, in milliseconds since 1970; 0 before the first. */
  syncedAt: number;
}

/** A piece that no record needs. */
export interface UnneededPiece {
  version: string;
  /**
   * The minimum time without a record that needs it, in milliseconds: as long as this device has observed it.
   */
  seenMs: number;
  /**
   * The maximum time without a record that needs it, in milliseconds; Infinity if this device has not checked
   * before.
   */
  mostMs: number;
}

/** A place where two devices had changed the same. Nothing of either is lost. */
export interface Conflict {
  kind: 'note' | 'file';
  key: string;
  /** The key of the other version, if it is not in the same entry. */
  copy?: string;
  /** The time when it was found, in milliseconds since 1970. */
  at: number;
}

/** A device of the user. */
export interface Device {
  name: string;
  /** The time when it last wrote, in milliseconds since 1970, by its own clock. */
  seenAt: number;
}

/** The maximum number of conflicts that are kept: the oldest are forgotten. */
export const MAX_CONFLICTS = 100;

/** The maximum number of devices that are kept; a hostile device may add any number. */
export const MAX_DEVICES = 100;
