import type { VaultKeys } from '../keys/vault-keys.js';
import type { SentEntries } from './sent-entries.js';

/** What is kept of a join in the database: it is lost, cleared and restored together with the entries. */
export interface SyncState {
  v: 1;
  keys: VaultKeys;
  /** The key ring as it was last read or written, for a server that loses it; a version before had none. */
  ring?: Uint8Array;
  /** Whether the user has stopped it for now. */
  isPaused?: boolean;
  /** This device, as the others see it. */
  device: { id: string; name: string };
  /** The server at the end of the last round: see RemoteState. */
  epoch: string;
  changes: number;
  /** When it was last compared what the server has, in milliseconds since 1970; a version before did not. */
  comparedAt?: number;
  /** The pieces on the server that no record needs, by name. A version before had none. */
  unneeded?: ReadonlyMap<string, UnneededPiece>;
  /** When that was looked at last, in milliseconds since 1970; -1 if that no longer counts. */
  sweptAt?: number;
  /** The names of records of files that are still to be fetched. */
  waiting: ReadonlySet<string>;
  /** What may be on the server already; a version before had none. */
  sent?: SentEntries;
  /** What both sides had changed, the latest last; at most {@link MAX_CONFLICTS}. */
  conflicts: readonly Conflict[];
  /** The devices of the user, by their ids; at most {@link MAX_DEVICES}. */
  devices: ReadonlyMap<string, Device>;
  /** When the last round ended well, in milliseconds since 1970; 0 before the first. */
  syncedAt: number;
}

/** A piece that no record needs. */
export interface UnneededPiece {
  version: string;
  /** For how long this device has seen it so, in milliseconds: at least that long nobody has needed it. */
  seenMs: number;
  /** For how long that may be so at most; Infinity where this device has not looked before. */
  mostMs: number;
}

/** One place where two devices had changed the same. Nothing of either is lost. */
export interface Conflict {
  kind: 'note' | 'file';
  key: string;
  /** Where the other version is, if not in the same entry. */
  copy?: string;
  /** When it was found, in milliseconds since 1970. */
  at: number;
}

/** A device of the user. */
export interface Device {
  name: string;
  /** When it last wrote, in milliseconds since 1970, by its own clock. */
  seenAt: number;
}

/** How many conflicts are kept: the oldest are forgotten. */
export const MAX_CONFLICTS = 100;

/** How many devices are kept; a hostile device may add any number. */
export const MAX_DEVICES = 100;
