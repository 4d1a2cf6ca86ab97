import type { SyncEntry, SyncedEntry, SyncWrite } from '@inpage-mcp/store/sync';
import { isSame, mergeEntry, type Entry } from '../merge/merge-entry.js';
import type { RemoteRecord } from '../remotes/remote.js';
import {
  KEPT_VERSIONS,
  NAMED_VERSIONS,
  baseAmong,
  contentFor,
  entryOf,
  isDeletion,
  syncedOf,
  versionsOf,
} from './entries.js';
import { idOf, type SentEntries } from './sent-entries.js';
import type { Conflict } from './sync-state.js';

/** An entry of the server. */
export interface RemoteEntry<Kind extends Entry = Entry> {
  entry: Kind;
  /** The version that a write replaces; '' if none may replace it yet: see RemoteRecord.rivals. */
  version: string;
}

/** The version that a write may replace. That of a record with rivals would delete them unmerged. */
export const expectedOf = ({
  version,
  rivals,
}: Pick<RemoteRecord, 'version' | 'rivals'>): string => (rivals ? '' : version);

/** The decision about an entry. */
export interface Decision {
  write: SyncWrite;
  /** The other version, as a separate entry. */
  copy?: Entry;
  conflict?: Conflict;
  /** Whether the server has shown an older version instead of a newer one, which is sent again. */
  isReplayed?: boolean;
}

/** The circumstances of a decision, in addition to the entry. */
export interface Circumstances {
  sent: SentEntries;
  /** The time in milliseconds since 1970. */
  now: number;
  /** Whether the version prevents this device from sending its own one. Then even an older one is merged. */
  isInTheWay: boolean;
}

/**
 * Decides about an entry of this device of which the server has another version.
 *
 * @returns `undefined` if the version is known; `replayed` if it is older than the known one, so that it is
 *   ignored.
 */
export async function decide(
  { entry, version }: RemoteEntry,
  local: SyncEntry,
  { sent, now, isInTheWay }: Circumstances,
): Promise<Decision | 'replayed' | undefined> {
  const { kind, key } = entry;
  const { synced: known, mark } = local;
  if (version !== '' && known?.version === version) return undefined;
  const relation = known ? relationOf(entry, known) : 'newer';
  const isShownAgain = known !== undefined && !known.isLost && !isInTheWay;
  if (relation === 'older' && isShownAgain) return 'replayed';
  // The version is not new. If it is an older one, the known one is sent again.
  if (relation === 'known') {
    const isLost = entry.id !== known!.past?.at(-1);
    const { isLost: _before, ...rest } = known!;
    const synced = { ...rest, version, ...(isLost && { isLost }) };
    const keepMark = isLost || mark !== undefined;
    const write = { kind, key, expectedMark: mark, synced, keepMark };
    return { write, isReplayed: isLost && isShownAgain };
  }
  // A version that this device has sent without an answer is the base of its own change.
  const isOwn = entry.id !== undefined && sent.get(idOf(entry))?.includes(entry.id);
  const pieces = 'pieces' in entry && !isDeletion(entry) ? (entry.pieces as string[]) : [];
  const mine = entryOf(kind, key, local, pieces, now);
  const saysSame = isSame(entry, mine);
  const synced = await nextSynced(entry, version, known, relation);
  const write = { kind, key, expectedMark: mark, synced };
  // If the entry is the same, nothing is written, and no listener is notified.
  if (mark === undefined && (saysSame || relation === 'newer'))
    return { write: { ...write, ...(!saysSame && contentFor(entry)) } };
  const before = await baseAmong([mine, entry], known);
  const isBase = relation === 'newer' || (before && isSame(before, entry));
  const base = isOwn ? entry : isBase ? before : undefined;
  const { merged, copy, conflicts } = await mergeEntry(base, mine, entry);
  return {
    write: {
      ...write,
      ...(!isSame(merged, mine) && contentFor(merged)),
      keepMark: !isSame(merged, entry),
    },
    ...(copy && { copy }),
    ...((copy ?? conflicts > 0) && {
      conflict: { kind, key, at: now, ...(copy && { copy: copy.key }) },
    }),
  };
}

/**
 * The relation of a version to the known one: `known` if it led to the known one, `newer` if the known one
 * led to it, `older` if it has fewer changes, and `other` if both come from an earlier one: a server that has
 * gone back was written to since.
 */
type Relation = 'known' | 'newer' | 'older' | 'other';

function relationOf({ id, past = [], counter }: Entry, known: SyncedEntry): Relation {
  const { past: versions = [] } = known;
  if (id !== undefined && versions.includes(id)) return 'known';
  const last = versions.at(-1);
  if (last !== undefined && past.includes(last)) return 'newer';
  const changes = counter - known.counter;
  if (changes < 0) return 'older';
  // A version names its predecessors up to this number of changes back.
  const areNamed = last !== undefined && id !== undefined && changes <= NAMED_VERSIONS;
  return areNamed || changes === 0 || known.isLost ? 'other' : 'newer';
}

/** The facts that are known of an entry from now on. */
async function nextSynced(
  entry: Entry,
  version: string,
  known: SyncedEntry | undefined,
  relation: Relation,
): Promise<SyncedEntry> {
  const synced = await syncedOf(entry, version);
  if (!known) return synced;
  const counter = Math.max(entry.counter, known.counter);
  if (relation === 'newer') return { ...synced, counter };
  // The latest versions of both.
  const theirs = versionsOf(entry).slice(-KEPT_VERSIONS / 2);
  const others = (known.past ?? []).filter((id) => !theirs.includes(id));
  return { ...synced, counter, past: [...others.slice(-KEPT_VERSIONS / 2), ...theirs] };
}
