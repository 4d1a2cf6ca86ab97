import { newKey, type NoteStorage } from './note-storage.js';
import { McpNoteLostEvent, McpNoteSaveEvent } from './events.js';
import { NoteDraft, type KeptDraft } from './note-draft.js';
import { copyTitle } from './questions.js';

/** The prefix of the keys of kept drafts in `localStorage`, which stay there when a tab is closed. */
const PREFIX = 'mcp-draft:';

/** The id of this page, which holds a lock of its own as long as it has unsaved changes. */
const page = newKey();

/** The drafts with changes that are stored nowhere, each with the name under which it may be kept. */
const guarded = new Map<NoteDraft, string | undefined>();
/**
 * Releases the lock that prevents other pages from taking the drafts of this one; absent before it is
 * requested.
 */
let unlock: (() => void) | undefined;

/**
 * Guards a draft while it has unsaved changes. If the page is left, hidden or frozen, or if the changes
 * cannot be saved, they are kept in `localStorage` until they are stored. If they cannot be kept, the browser
 * asks its user before it leaves the page. The listeners exist only during that time, because they exclude
 * the page from the back/forward cache.
 *
 * @param name The name under which drafts are kept. Without one, the browser always asks.
 * @returns Whether the changes are kept after a failure.
 */
export function guardDraft(draft: NoteDraft, name: string | undefined): boolean {
  let isKept = false;
  if (!draft.hasUnsavedWords) {
    guarded.delete(draft);
    if (name !== undefined) forget(keyOf(draft, name));
  } else {
    guarded.set(draft, name);
    if (name !== undefined) lock();
    if (['conflict', 'deleted', 'failed'].includes(draft.state)) isKept = keep(draft);
  }
  if (guarded.size === 0) unlock?.();
  const change = guarded.size > 0 ? 'addEventListener' : 'removeEventListener';
  window[change]('beforeunload', askIfLost);
  window[change]('pagehide', keepAll);
  document[change]('visibilitychange', keepAll);
  return isKept;
}

/** Ends the guard of a draft that was left. Returns whether its changes are kept. */
export function releaseDraft(draft: NoteDraft): boolean {
  const isKept = draft.hasUnsavedWords && keep(draft);
  guarded.delete(draft);
  if (guarded.size === 0) unlock?.();
  return isKept;
}

/** Deletes all drafts that are kept under a name, of every page, because the user no longer wants them. */
export function forgetDrafts(name: string): void {
  for (const key of keysOf(name)) forget(key);
}

/** The storage that restores the drafts of a name, and what ends that. */
const restoring = new Map<string, { storage: NoteStorage; ending: AbortController }>();

/**
 * Stores the changes that closed pages have kept: in their note, or as a new note if the note has changed or
 * no longer exists. Each draft is stored once, although several pages may do this; drafts of pages that are
 * closed later are stored, too. A draft that cannot be stored stays kept until the next start. `window` gets
 * `mcp-note-save` and `mcp-note-lost`, with `isRestored`.
 *
 * @param name The attribute `drafts` of the editors.
 * @param storage The place of the notes. It takes the place of an earlier one, which may be closed.
 */
export function restoreDrafts(name: string, storage: NoteStorage): void {
  const earlier = restoring.get(name);
  if (earlier?.storage === storage || !('locks' in navigator)) return;
  earlier?.ending.abort();
  const ending = new AbortController();
  restoring.set(name, { storage, ending });
  const { signal } = ending;
  const waiting = new Set<string>();
  const restore = (key: string): void => {
    if (waiting.has(key) || key.startsWith(prefixOf(name, page))) return;
    waiting.add(key);
    navigator.locks
      .request(lockOf(key.split(':').at(-2)!), { signal }, () => restoreKept(key, storage))
      .catch(() => undefined)
      .finally(() => waiting.delete(key));
  };
  for (const key of keysOf(name)) restore(key);
  const onStorage = ({ key, newValue }: StorageEvent): void => {
    if (key?.startsWith(prefixOf(name)) && newValue !== null) restore(key);
  };
  window.addEventListener('storage', onStorage, { signal });
}

async function restoreKept(key: string, storage: NoteStorage): Promise<void> {
  const kept = recall(key);
  // The kept draft is damaged, for example by another program.
  if (!kept) return forget(key);
  const draft = NoteDraft.restore(storage, kept);
  draft.listeners.onsave = (id, revision, isCopy) =>
    window.dispatchEvent(new McpNoteSaveEvent(id, revision, { isCopy, isRestored: true }));
  const isStored = await draft.leave(copyTitle);
  // The draft is deleted only after the write. If this page dies in between, the keys of the writes prevent a
  // second write.
  if (isStored) return forget(key);
  const details = { error: draft.error, isKept: true, isRestored: true };
  window.dispatchEvent(new McpNoteLostEvent(draft.id, kept.words, details));
}

function lock(): void {
  if (unlock || !('locks' in navigator)) return;
  const held = new Promise<void>((resolve) => {
    unlock = () => {
      unlock = undefined;
      resolve();
    };
  });
  const own = unlock;
  navigator.locks
    .request(lockOf(page), () => held)
    .catch(() => {
      if (unlock === own) unlock = undefined;
    });
}

function askIfLost(event: Event): void {
  for (const draft of guarded.keys()) if (!keep(draft)) event.preventDefault();
}

function keepAll(): void {
  if (document.visibilityState === 'hidden') for (const draft of guarded.keys()) keep(draft);
}

/** Keeps the changes of a draft. Returns whether they are kept now. */
function keep(draft: NoteDraft): boolean {
  const name = guarded.get(draft);
  const { kept } = draft;
  // Without the lock, another page would take the draft from this one; a page that requests the lock after
  // this one waits.
  if (!kept || name === undefined || !unlock) return false;
  try {
    localStorage.setItem(keyOf(draft, name), JSON.stringify(kept));
    return true;
  } catch {
    // The storage is full or does not exist.
    return false;
  }
}

function recall(key: string): KeptDraft | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? '') as KeptDraft;
    const { base, words, write } = kept;
    const texts = [kept.key, base.id, base.title, base.text, words.title, words.text];
    if (write) texts.push(write.words.title, write.words.text, write.idempotencyKey);
    const isDraft = typeof base.revision === 'number' && Array.isArray(base.tags ?? []);
    return isDraft && texts.every((text) => typeof text === 'string') ? kept : undefined;
  } catch {
    return undefined;
  }
}

function forget(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // If storage does not exist, nothing is kept.
  }
}

function keysOf(name: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefixOf(name)));
  } catch {
    return [];
  }
}

const prefixOf = (name: string, ofPage = ''): string =>
  `${PREFIX}${encodeURIComponent(name)}:${ofPage}`;

const lockOf = (ofPage: string): string => `${PREFIX}${ofPage}`;

const keyOf = (draft: NoteDraft, name: string): string => `${prefixOf(name, page)}:${draft.key}`;
