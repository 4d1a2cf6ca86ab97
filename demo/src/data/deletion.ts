import { type Note, type Runtime, RuntimeError, type StoredFile } from '@inpage-mcp/runtime';
import { fileUri, folderOf, noteIdOf, pathOf } from '../addresses/addresses.js';

/** A note or file as it was; `unreadable` for one that could not be read any more. */
type Content = { note: Note } | { file: StoredFile; blob: Blob } | 'unreadable';

/** What was deleted. */
interface Kept {
  uri: string;
  content: Content;
}

/** How often something is read again that another tab changes while it is deleted. */
const MAX_ATTEMPTS = 5;

/** How many paths of a folder are read at a time. */
const PAGE_LENGTH = 1_000;

/** What was deleted, and how to bring it back. */
export class Deletion {
  readonly #kept: Kept[] = [];
  readonly #gone = new Set<string>();
  /** Why some of it is still there. */
  readonly failures: unknown[] = [];

  /** Whether there is nothing at this address any more. */
  isGone(uri: string): boolean {
    return this.#gone.has(uri);
  }

  /** How many notes are gone. */
  get notes(): number {
    return this.#kept.filter(({ uri }) => noteIdOf(uri) !== undefined).length;
  }

  /** How many files are gone. */
  get files(): number {
    return this.#kept.length - this.notes;
  }

  /** How many of them could not be read, and cannot be brought back. */
  get lost(): number {
    return this.#kept.filter(({ content }) => content === 'unreadable').length;
  }

  /**
   * Deletes notes and files, and what is in folders. Something that is gone already is no failure.
   * Never rejects.
   *
   * @param onProgress Called with how many of how many are gone.
   * @param signal Leaves the others.
   */
  async run(
    runtime: Runtime,
    uris: readonly string[],
    onProgress: (done: number, total: number) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const all = await this.#gather(runtime, uris);
    for (const [index, uri] of all.entries()) {
      if (signal.aborted) return;
      try {
        const content = await deleteOne(runtime, uri);
        if (content) this.#kept.push({ uri, content });
        this.#gone.add(uri);
      } catch (error) {
        this.failures.push(error);
      }
      onProgress(index + 1, all.length);
    }
    // A folder is there because of its files.
    if (this.failures.length === 0) for (const uri of uris) this.#gone.add(uri);
  }

  /**
   * Writes all of it again: notes under their own address, files at their path, or beside the file
   * that another client has written there since. Resolves with the failures; can be called again after some.
   */
  async undo(runtime: Runtime): Promise<unknown[]> {
    const failures: unknown[] = [];
    for (const kept of this.#kept.splice(0)) {
      const { content } = kept;
      if (content === 'unreadable') continue;
      try {
        await restoreOne(runtime, content);
      } catch (error) {
        failures.push(error);
        this.#kept.push(kept);
      }
    }
    return failures;
  }

  async #gather(runtime: Runtime, uris: readonly string[]): Promise<string[]> {
    const all: string[] = [];
    for (const uri of uris) {
      try {
        all.push(...(await contentsOf(runtime, uri)));
      } catch (error) {
        this.failures.push(error);
      }
    }
    return [...new Set(all)];
  }
}

/** The address itself, or those of all files in a folder. */
async function contentsOf({ files }: Runtime, uri: string): Promise<string[]> {
  const folder = folderOf(uri);
  if (folder === undefined) return [uri];
  const found: string[] = [];
  let after: string | undefined;
  do {
    const page = await files.list({ folder, after, limit: PAGE_LENGTH });
    found.push(...page.files.map(({ path }) => fileUri(path)));
    after = page.next;
  } while (after !== undefined);
  return found;
}

/** Reads it and deletes what was read: a change that another tab makes in between is not lost. */
async function deleteOne(runtime: Runtime, uri: string): Promise<Content | undefined> {
  const [id, path] = [noteIdOf(uri), pathOf(uri)];
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (id !== undefined) return await deleteNote(runtime, id);
      if (path !== undefined) return await deleteFile(runtime, path);
      throw new Error(`${uri} cannot be deleted.`);
    } catch (error) {
      const code = error instanceof RuntimeError ? error.code : undefined;
      if (code === 'not-found') return undefined;
      if (code !== 'conflict' || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

async function deleteNote({ notes }: Runtime, id: string): Promise<Content> {
  const note = await notes.get(id).catch(unreadable);
  const revision = note === 'unreadable' ? undefined : note.revision;
  await notes.delete(id, { expectedRevision: revision });
  return note === 'unreadable' ? note : { note };
}

async function deleteFile({ files }: Runtime, path: string): Promise<Content> {
  const read = await files.read(path).catch(unreadable);
  const revision = read === 'unreadable' ? undefined : read.file.revision;
  await files.delete(path, { expectedRevision: revision });
  return read;
}

/** Something damaged can be deleted all the same. */
function unreadable(error: unknown): 'unreadable' {
  if (error instanceof RuntimeError && error.code === 'unreadable') return 'unreadable';
  throw error;
}

async function restoreOne(runtime: Runtime, content: Exclude<Content, string>): Promise<void> {
  if ('note' in content) {
    await runtime.notes.restore(content.note);
    return;
  }
  const { file, blob } = content;
  for (let copy = 1; ; copy += 1) {
    const path = copy === 1 ? file.path : numbered(file.path, copy);
    try {
      await runtime.files.restore({ ...file, path }, blob, { expectedRevision: 0 });
      return;
    } catch (error) {
      if (!(error instanceof RuntimeError) || error.code !== 'conflict') throw error;
    }
  }
}

/** `a/b.txt` as `a/b (2).txt`. */
function numbered(path: string, copy: number): string {
  const [, name, extension = ''] = /^(.*[^/])(\.[^./]*)$/s.exec(path) ?? ['', path];
  return `${name} (${copy})${extension}`;
}
