import { RuntimeError, type Note, type Runtime, type StoredFile } from '@inpage-mcp/runtime';
import { fileUri, folderOf, noteIdOf, pathOf } from '../addresses/addresses.js';
import type { NoticeStack } from '../ui/notice-stack.js';
import { amountOf, reasonOf } from '../ui/words.js';

/**
 * The time for which a deletion can be undone, in milliseconds; it is longer while the pointer or the focus
 * is on the offer.
 */
const UNDO_MS = 10_000;

/** The delay after which a deletion shows that it continues, and can be stopped, in milliseconds. */
const SLOW_MS = 500;

/**
 * The maximum number of times that a resource is read again because another tab changes it during its
 * deletion.
 */
const MAX_ATTEMPTS = 5;

/** The number of paths of a folder that are read at a time. */
const PAGE_LENGTH = 1_000;

/** A note or file as it was before the deletion; `unreadable` for one that could no longer be read. */
type Content = { note: Note } | { file: StoredFile; blob: Blob } | 'unreadable';

/** The resources that were deleted at the same time. */
interface Deleted {
  runtime: Runtime;
  /** The title; absent for several. */
  name: string | undefined;
  notes: number;
  files: number;
  kept: Content[];
}

/** Deletes without a question, and offers to undo the deletions of the last ten seconds. */
export class Deletions {
  readonly #notices: () => NoticeStack;
  readonly #onRestored: (isWhole: boolean) => void;
  /** The deletions that can be undone, the last one last. */
  #undoable: readonly Deleted[] = [];
  #endOffer: (() => void) | undefined;

  /**
   * @param notices The stack in which deletions are reported and undone.
   * @param onRestored Called after an undo, with whether everything is back.
   */
  constructor(notices: () => NoticeStack, onRestored: (isWhole: boolean) => void) {
    this.#notices = notices;
    this.#onRestored = onRestored;
  }

  /**
   * Deletes notes, files, and folders with their content. Resolves with the addresses at which nothing exists
   * any more. A resource that is already gone is not a failure. Never rejects.
   *
   * @param name The name by which the user knows it, as in “Shopping list”. Default: their number.
   */
  async delete(runtime: Runtime, uris: readonly string[], name?: string): Promise<Set<string>> {
    const deleted: Deleted = { runtime, name, notes: 0, files: 0, kept: [] };
    const gone = new Set<string>();
    const failures: unknown[] = [];
    const stop = new AbortController();
    let endNotice: (() => void) | undefined;
    const timer = setTimeout(() => {
      const actions = [{ words: 'Stop', run: () => stop.abort() }];
      endNotice = this.#notices().stand(`Deleting ${name ?? 'what is selected'} …`, { actions });
    }, SLOW_MS);
    const all = await contentsOf(runtime, uris).catch((error: unknown) => {
      failures.push(error);
      return [];
    });
    for (const uri of all) {
      if (stop.signal.aborted) break;
      try {
        const content = await deleteOne(runtime, uri);
        gone.add(uri);
        if (content) deleted.kept.push(content);
        if (content) deleted[noteIdOf(uri) === undefined ? 'files' : 'notes'] += 1;
      } catch (error) {
        failures.push(error);
      }
    }
    clearTimeout(timer);
    endNotice?.();
    // A folder exists only because of its files.
    if (failures.length === 0 && !stop.signal.aborted) for (const uri of uris) gone.add(uri);
    if (failures.length > 0) {
      const what = failures.length === 1 ? (name ?? 'One of them') : `${failures.length} of them`;
      const verb = failures.length === 1 ? 'was' : 'were';
      this.#notices().fail(failures[0], `${what} ${verb} not deleted`);
    }
    if (deleted.kept.length > 0) this.#offerUndo(deleted);
    return gone;
  }

  /** Restores the deletions that can be undone. Returns whether any exist. */
  undo(): boolean {
    const undoable = this.#withdrawOffer();
    if (undoable.length > 0) void this.#restore(undoable);
    return undoable.length > 0;
  }

  /** Withdraws the offer, and returns its deletions. */
  #withdrawOffer(): readonly Deleted[] {
    const undoable = this.#undoable;
    this.#undoable = [];
    this.#endOffer?.();
    this.#endOffer = undefined;
    return undoable;
  }

  #offerUndo(deleted: Deleted): void {
    const undoable = [...this.#withdrawOffer(), deleted];
    const end = this.#notices().show(offerInWords(undoable), {
      actions: [{ words: 'Undo', run: () => this.undo() }],
      timeMs: UNDO_MS,
      onend: () => {
        if (this.#endOffer === end) this.#undoable = [];
      },
    });
    this.#endOffer = end;
    this.#undoable = undoable;
  }

  /** Writes deleted resources again. Those that cannot be written can be tried again. Never rejects. */
  async #restore(deleted: readonly Deleted[]): Promise<void> {
    const notices = this.#notices();
    const failures: unknown[] = [];
    for (const { kept, runtime } of deleted.toReversed())
      for (const content of kept.splice(0)) {
        try {
          await restoreOne(runtime, content);
        } catch (error) {
          failures.push(error);
          kept.push(content);
        }
      }
    this.#onRestored(failures.length === 0);
    if (failures.length === 0) {
      notices.show(`Brought back ${inWords(deleted)}.`);
      return;
    }
    const many = failures.length === 1 ? 'One thing is' : `${failures.length} things are`;
    notices.stand(`${many} not back yet: ${reasonOf(failures[0])}`, {
      actions: [{ words: 'Try again', run: () => void this.#restore(deleted) }],
    });
  }
}

function offerInWords(deleted: readonly Deleted[]): string {
  const words = `Deleted ${inWords(deleted)}.`;
  const lost = deleted.flatMap(({ kept }) => kept).filter((one) => one === 'unreadable').length;
  return lost === 0 ? words : `${words} What could not be read (${lost}) cannot be brought back.`;
}

function inWords(deleted: readonly Deleted[]): string {
  const [only] = deleted.length === 1 ? deleted : [];
  const sum = (of: 'notes' | 'files'): number => deleted.reduce((count, one) => count + one[of], 0);
  return only?.name ?? amountOf({ notes: sum('notes'), files: sum('files') });
}

/** The addresses themselves; for a folder, the addresses of all files in it. */
async function contentsOf({ files }: Runtime, uris: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const uri of uris) {
    const folder = folderOf(uri);
    if (folder === undefined) found.add(uri);
    else {
      let after: string | undefined;
      do {
        const page = await files.list({ folder, after, limit: PAGE_LENGTH });
        for (const { path } of page.files) found.add(fileUri(path));
        after = page.next;
      } while (after !== undefined);
    }
  }
  return [...found];
}

/**
 * Reads a resource and deletes only the version that was read, so that a change by another tab in between is
 * not lost.
 */
async function deleteOne({ notes, files }: Runtime, uri: string): Promise<Content | undefined> {
  const [id, path] = [noteIdOf(uri), pathOf(uri)];
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (id !== undefined) {
        const note = await notes.get(id).catch(unreadable);
        const expectedRevision = note === 'unreadable' ? undefined : note.revision;
        await notes.delete(id, { expectedRevision });
        return note === 'unreadable' ? note : { note };
      }
      if (path === undefined) throw new Error(`${uri} cannot be deleted.`);
      const read = await files.read(path).catch(unreadable);
      const expectedRevision = read === 'unreadable' ? undefined : read.file.revision;
      await files.delete(path, { expectedRevision });
      return read;
    } catch (error) {
      const code = error instanceof RuntimeError ? error.code : undefined;
      if (code === 'not-found') return undefined;
      if (code !== 'conflict' || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** Returns `unreadable` for a damaged resource, which can still be deleted. */
function unreadable(error: unknown): 'unreadable' {
  if (error instanceof RuntimeError && error.code === 'unreadable') return 'unreadable';
  throw error;
}

/**
 * Restores notes at their own address, and files at their path, or next to a file that was written there
 * since.
 */
async function restoreOne({ notes, files }: Runtime, content: Content): Promise<void> {
  if (content === 'unreadable') return;
  if ('note' in content) return void (await notes.restore(content.note));
  const { file, blob } = content;
  for (let copy = 1; ; copy += 1) {
    const path = copy === 1 ? file.path : numbered(file.path, copy);
    try {
      await files.restore({ ...file, path }, blob, { expectedRevision: 0 });
      return;
    } catch (error) {
      if (!(error instanceof RuntimeError) || error.code !== 'conflict') throw error;
    }
  }
}

/** The path of a copy: `a/b (2).txt` for `a/b.txt`. */
function numbered(path: string, copy: number): string {
  const [, name, extension = ''] = /^(.*[^/])(\.[^./]*)$/s.exec(path) ?? ['', path];
  return `${name} (${copy})${extension}`;
}
