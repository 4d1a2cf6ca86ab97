import { RuntimeError, type Note, type Runtime } from '@inpage-mcp/runtime';
import { exclusively } from '../../session/exclusively.js';
import { forget, recall, remember, rememberedKeys } from '../../session/remembered.js';

/** What the places of words begin with, in `localStorage`: closing a tab does not take them with it. */
const PLACES = 'inpage-mcp-demo-unsaved:';

/** The longest title of a note, in UTF-16 code units (docs/limits.md). */
const MAX_TITLE_LENGTH = 1_000;

type Words = Pick<Note, 'id' | 'title' | 'text' | 'tags' | 'revision'>;

/** Words as they are kept, with the idempotency key of their saving: that is done once at most. */
type KeptWords = Words & { idempotencyKey: string };

/**
 * Where the words of one draft wait when they cannot be saved before a reload. While this page lives
 * they are its own: it holds the lock of the place. Whichever tab has the lock then saves them.
 */
export class WordsAside {
  readonly #noteId: string;
  /** Once it is held. */
  #place: string | undefined;

  constructor(noteId: string) {
    this.#noteId = noteId;
  }

  /** Whether these are there; they are gone when another tab has deleted everything. */
  keeps({ title, text }: Pick<Words, 'title' | 'text'>): boolean {
    const kept = this.#place === undefined ? null : recall(this.#place);
    if (kept === null) return false;
    const words = readWords(kept);
    return words?.title === title && words.text === text;
  }

  /**
   * Keeps words, in place of those before; false where there is no room, or no storage, or no lock:
   * without it another tab would take the words from this one.
   */
  put({ id, title, text, tags, revision }: Words): boolean {
    // The same words keep their key.
    if (this.keeps({ title, text })) return true;
    if (!('locks' in navigator)) return false;
    const place = this.#hold();
    const idempotencyKey = crypto.randomUUID();
    const words: KeptWords = { id, title, text, tags, revision, idempotencyKey };
    return remember(place, JSON.stringify(words));
  }

  /** Until the page is gone. */
  #hold(): string {
    if (this.#place !== undefined) return this.#place;
    // Two tabs may have words for the same note.
    const place = `${PLACES}${this.#noteId}:${crypto.randomUUID()}`;
    this.#place = place;
    // Where locks are forbidden, there is no storage to keep words in, either.
    navigator.locks
      .request(place, () => new Promise<never>(() => undefined))
      .catch(() => undefined);
    return place;
  }
}

/** Hears what became of words that were aside. */
export interface BringingBack {
  onSaved(): void;
  onFailed(error: unknown): void;
  /** Called when something was there that cannot be read, and is not kept. */
  onUnreadable(): void;
}

/**
 * Saves the words that tabs have put aside, once those have gone: in their note, or in one of its
 * own where the note has changed or is gone. Each are saved once, however many tabs do this. What
 * cannot be saved stays aside until the next start.
 */
export function bringBackWords(runtime: Runtime, listener: BringingBack): void {
  const bring = (place: string): void => {
    bringBack(runtime, place).then(
      (outcome) => {
        if (outcome === 'saved') listener.onSaved();
        if (outcome === 'unreadable') listener.onUnreadable();
      },
      // This page is old itself, as the runtime reports: another will do it.
      (error) => codeOf(error) !== 'newer-version' && listener.onFailed(error),
    );
  };
  for (const place of rememberedKeys(PLACES)) bring(place);
  // What a tab puts aside while this one is open need not wait for the next start.
  const waiting = new Set<string>();
  window.addEventListener('storage', ({ key, newValue }) => {
    if (!key?.startsWith(PLACES) || newValue === null || waiting.has(key)) return;
    waiting.add(key);
    bring(key);
  });
}

/** Forgets what every tab has put aside: the user wants nothing of it any more. */
export function forgetWordsAside(): void {
  for (const place of rememberedKeys(PLACES)) forget(place);
}

/** Resolves with what was there when the lock was free. */
async function bringBack(
  runtime: Runtime,
  place: string,
): Promise<'nothing' | 'saved' | 'unreadable'> {
  return await exclusively(place, async () => {
    const kept = recall(place);
    if (kept === null) return 'nothing';
    const words = readWords(kept);
    // Removed after the writing, for what if the page dies between? Then the key keeps it from
    // being done twice.
    const isSaved = words !== undefined && (await save(runtime, words));
    forget(place);
    return isSaved ? 'saved' : 'unreadable';
  });
}

/** Undefined if they are not words of a note: an extension, or another version, may have written them. */
function readWords(kept: string): KeptWords | undefined {
  try {
    const words = JSON.parse(kept) as { [name in keyof KeptWords]?: unknown };
    const { id, title, text, idempotencyKey } = words;
    const areTexts = [id, title, text, idempotencyKey].every((one) => typeof one === 'string');
    return areTexts ? (words as KeptWords) : undefined;
  } catch {
    return undefined;
  }
}

/** Resolves with whether the words could be those of a note. */
async function save({ notes }: Runtime, words: KeptWords): Promise<boolean> {
  const { id, text, tags, revision, idempotencyKey } = words;
  const title = words.title.slice(0, MAX_TITLE_LENGTH);
  const own = { title: titleOfOwn(title), text, tags };
  try {
    await notes
      .update(id, { title, text, tags }, { expectedRevision: revision, idempotencyKey })
      .catch(async (error: unknown) => {
        if (!['conflict', 'not-found'].includes(codeOf(error) ?? '')) throw error;
        await notes.create(own, { idempotencyKey: `${idempotencyKey}:own` });
      });
    return true;
  } catch (error) {
    // It would be refused at each start.
    if (codeOf(error) === 'invalid-argument') return false;
    throw error;
  }
}

/** What is added to the title of a version that becomes a note of its own. */
const OWN_MARK = ' (my version)';

/** The title of a version that becomes a note of its own. */
export function titleOfOwn(title: string): string {
  return title.slice(0, MAX_TITLE_LENGTH - OWN_MARK.length) + OWN_MARK;
}

function codeOf(error: unknown): RuntimeError['code'] | undefined {
  return error instanceof RuntimeError ? error.code : undefined;
}
