import { RuntimeError, type Note, type Runtime } from '@inpage-mcp/runtime';

/** What the places of words begin with, in `localStorage`: closing a tab does not take them with it. */
const PLACES = 'inpage-mcp-demo-unsaved:';

type Words = Pick<Note, 'id' | 'title' | 'text' | 'tags' | 'revision'>;

/** Words as they are kept, with the idempotency key of their saving: that is done once at most. */
type KeptWords = Words & { idempotencyKey: string };

/**
 * Where the words of one draft wait when they cannot be saved before a reload. While this page lives
 * they are its own: it holds the lock of the place. Whichever tab has the lock then saves them.
 */
export class WordsAside {
  readonly #place: string;
  #isHeld = false;

  constructor(noteId: string) {
    // Two tabs may have words for the same note.
    this.#place = `${PLACES}${noteId}:${crypto.randomUUID()}`;
  }

  /** Whether these are there; they are gone when another tab has deleted everything. */
  keeps({ title, text }: Pick<Words, 'title' | 'text'>): boolean {
    const kept = localStorage.getItem(this.#place);
    if (kept === null) return false;
    const words = JSON.parse(kept) as KeptWords;
    return words.title === title && words.text === text;
  }

  /** Keeps words, in place of those before; false where there is no room. */
  put({ id, title, text, tags, revision }: Words): boolean {
    // The same words keep their key.
    if (this.keeps({ title, text })) return true;
    this.#hold();
    const idempotencyKey = crypto.randomUUID();
    const words: KeptWords = { id, title, text, tags, revision, idempotencyKey };
    try {
      localStorage.setItem(this.#place, JSON.stringify(words));
      return true;
    } catch {
      return false;
    }
  }

  /** Until the page is gone. */
  #hold(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    void navigator.locks.request(this.#place, () => new Promise<never>(() => undefined));
  }
}

/** Hears what became of words that were aside. */
export interface BringingBack {
  onSaved(): void;
  onFailed(error: unknown): void;
}

/**
 * Saves the words that tabs have put aside, once those have gone: in their note, or in one of its
 * own where the note has changed or is gone. Each are saved once, however many tabs do this. What
 * cannot be saved stays aside until the next start.
 */
export function bringBackWords(runtime: Runtime, listener: BringingBack): void {
  const bring = (place: string): void => {
    bringBack(runtime, place).then(
      (isSaved) => isSaved && listener.onSaved(),
      // This page is old itself, which the runtime tells: another will do it.
      (error) => codeOf(error) !== 'newer-version' && listener.onFailed(error),
    );
  };
  for (const place of places()) bring(place);
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
  for (const place of places()) localStorage.removeItem(place);
}

function places(): string[] {
  return Object.keys(localStorage).filter((key) => key.startsWith(PLACES));
}

/** Resolves with whether there still were words when the lock was free. */
async function bringBack(runtime: Runtime, place: string): Promise<boolean> {
  return await navigator.locks.request(place, async () => {
    const kept = localStorage.getItem(place);
    if (kept === null) return false;
    // Removed after the writing, for what if the page dies between? Then the key keeps it from
    // being done twice.
    await save(runtime, JSON.parse(kept) as KeptWords);
    localStorage.removeItem(place);
    return true;
  });
}

async function save({ notes }: Runtime, words: KeptWords): Promise<void> {
  const { id, revision, idempotencyKey, ...rest } = words;
  try {
    await notes.update(id, { ...rest, expectedRevision: revision }, { idempotencyKey });
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'conflict' && code !== 'not-found') throw error;
    const own = { ...rest, title: `${rest.title} (my version)` };
    await notes.create(own, { idempotencyKey: `${idempotencyKey}:own` });
  }
}

function codeOf(error: unknown): RuntimeError['code'] | undefined {
  return error instanceof RuntimeError ? error.code : undefined;
}
