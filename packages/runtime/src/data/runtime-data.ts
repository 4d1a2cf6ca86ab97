import type {
  Control,
  FilePage,
  FileUpdate,
  FileVerification,
  FileWrite,
  KeyOption,
  NewNote,
  Note,
  NoteMatch,
  NotePage,
  NoteSummary,
  NoteUpdate,
  Outcome,
  StoredFile,
} from '@inpage-mcp/server/control-plane';
import type { Remote } from 'comlink';
import { runTask, type TaskOptions } from './tasks.js';
import type { WorkerSupervisor } from '../supervision/worker-supervisor.js';

/**
 * The user's notes, for the page that owns them. Calls reject with a `RuntimeError`, or with the
 * reason of their signal. Those that only look are repeated once when the worker dies under way, and
 * so are writes with an idempotency key.
 */
export interface RuntimeNotes {
  create(note: NewNote, options?: KeyOption): Promise<Note>;
  /**
   * Many notes at once, all of them or none: up to 10,000, and 64 MiB of text. Far faster than one by
   * one, and told to others as one change.
   */
  createAll(notes: readonly NewNote[], options?: KeyOption & TaskOptions): Promise<NoteSummary[]>;
  get(id: string): Promise<Note>;
  update(id: string, update: NoteUpdate, options?: KeyOption): Promise<Note>;
  delete(id: string, options?: KeyOption): Promise<void>;
  /** Newest first, without their texts. Default limit: 200. */
  list(page?: { before?: string; limit?: number }): Promise<NotePage>;
  /**
   * The notes in which each word of the query begins some word of title, tags or text, the best
   * first.
   *
   * @param options.limit From 1 to 100. Default: 20.
   * @param options.signal Ends the search. Default: none.
   */
  search(
    query: string,
    options?: { limit?: number; tag?: string; signal?: AbortSignal },
  ): Promise<{ matches: NoteMatch[]; total: number }>;
}

/** The user's files, for the page that owns them. Calls reject as those of {@link RuntimeNotes}. */
export interface RuntimeFiles {
  /**
   * Writes a file whole; resolves once it is on disk. A DOM `File` is passed on as it is. Progress is
   * in bytes. What is cancelled leaves nothing behind, and a file of the same path as it was.
   */
  write(
    path: string,
    blob: Blob,
    options?: FileWrite & KeyOption & TaskOptions,
  ): Promise<StoredFile>;
  /** Changes what is said of a file, and not its bytes. */
  update(path: string, update: FileUpdate, options?: KeyOption): Promise<StoredFile>;
  read(path: string): Promise<{ file: StoredFile; blob: Blob }>;
  /** Reads all bytes of a file and looks whether they are what was written. Progress is in bytes. */
  verify(path: string, options?: TaskOptions): Promise<FileVerification>;
  /** Gives a file another path; rejects with `conflict` where one is, unless `overwrite`. */
  move(
    from: string,
    to: string,
    options?: { overwrite?: boolean; expectedRevision?: number } & KeyOption,
  ): Promise<StoredFile>;
  delete(path: string, options?: KeyOption): Promise<void>;
  /** In the order of paths, without their bytes. Default limit: 200, in all folders. */
  list(page?: { after?: string; limit?: number; folder?: string }): Promise<FilePage>;
  /**
   * The files in whose path each word of the query begins some word, the best first.
   *
   * @param options.limit From 1 to 100. Default: 20.
   * @param options.signal Ends the search. Default: none.
   */
  search(
    query: string,
    options?: { limit?: number; signal?: AbortSignal },
  ): Promise<{ matches: StoredFile[]; total: number }>;
}

type Run<Value> = (control: Remote<Control>) => Promise<Outcome<Value>>;

/** The data of the user, on whichever worker there is. */
export function dataOf(supervisor: WorkerSupervisor): { notes: RuntimeNotes; files: RuntimeFiles } {
  const read = <Value>(run: Run<Value>) => supervisor.twice((server) => server.call(run));
  const write = <Value>(options: KeyOption | undefined, run: Run<Value>) =>
    supervisor[timesOf(options)]((server) => server.call(run));
  return {
    notes: {
      create: (note, options) => write(options, (control) => control.createNote(note, options)),
      createAll: (notes, { signal, onProgress, ...options } = {}) =>
        runTask(supervisor, timesOf(options), { signal, onProgress }, (control, task) =>
          control.createNotes(notes, options, task.number, task.onProgress),
        ),
      get: (id) => read((control) => control.getNote(id)),
      update: (id, update, options) =>
        write(options, (control) => control.updateNote(id, update, options)),
      delete: (id, options) => write(options, (control) => control.deleteNote(id, options)),
      list: (page) => read((control) => control.listNotes(page)),
      search: (query, { signal, ...options } = {}) =>
        runTask(supervisor, 'twice', { signal }, (control, { number }) =>
          control.searchNotes(query, options, number),
        ),
    },
    files: {
      write: (path, blob, { signal, onProgress, ...options } = {}) =>
        runTask(supervisor, timesOf(options), { signal, onProgress }, (control, task) =>
          control.writeFile(path, blob, options, task.number, task.onProgress),
        ),
      update: (path, update, options) =>
        write(options, (control) => control.updateFile(path, update, options)),
      read: (path) => read((control) => control.readFile(path)),
      verify: (path, options = {}) =>
        runTask(supervisor, 'twice', options, (control, task) =>
          control.verifyFile(path, task.number, task.onProgress),
        ),
      move: (from, to, options) => write(options, (control) => control.moveFile(from, to, options)),
      delete: (path, options) => write(options, (control) => control.deleteFile(path, options)),
      list: (page) => read((control) => control.listFiles(page)),
      search: (query, { signal, ...options } = {}) =>
        runTask(supervisor, 'twice', { signal }, (control, { number }) =>
          control.searchFiles(query, options, number),
        ),
    },
  };
}

/** A write that has a key may be repeated: it is done once. */
function timesOf(options: KeyOption | undefined): 'once' | 'twice' {
  return options?.idempotencyKey === undefined ? 'once' : 'twice';
}
