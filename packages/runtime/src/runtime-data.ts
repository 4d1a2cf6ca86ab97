import type {
  Control,
  FilePage,
  FileUpdate,
  FileWrite,
  NewNote,
  Note,
  NoteMatch,
  NotePage,
  NoteUpdate,
  Outcome,
  StoredFile,
} from '@inpage-mcp/server/control-plane';
import type { Remote } from 'comlink';
import type { WorkerSupervisor } from './worker-supervisor.js';

/**
 * The user's notes, for the page that owns them. Calls reject with a `RuntimeError`; those that
 * only look are repeated once when the worker dies under way.
 */
export interface RuntimeNotes {
  create(note: NewNote): Promise<Note>;
  get(id: string): Promise<Note>;
  update(id: string, update: NoteUpdate): Promise<Note>;
  delete(id: string): Promise<void>;
  /** Newest first, without their texts. Default limit: 200. */
  list(page?: { before?: string; limit?: number }): Promise<NotePage>;
  /**
   * The notes that hold every word of the query in title, tags or text, the best first.
   *
   * @param options.limit From 1 to 100. Default: 20.
   */
  search(
    query: string,
    options?: { limit?: number; tag?: string },
  ): Promise<{ matches: NoteMatch[]; total: number }>;
}

/** The user's files, for the page that owns them. Calls reject as those of {@link RuntimeNotes}. */
export interface RuntimeFiles {
  /** Writes a file whole; resolves once it is on disk. A DOM `File` is passed on as it is. */
  write(path: string, blob: Blob, options?: FileWrite): Promise<StoredFile>;
  /** Changes what is said of a file, and not its bytes. */
  update(path: string, update: FileUpdate): Promise<StoredFile>;
  read(path: string): Promise<{ file: StoredFile; blob: Blob }>;
  /** Gives a file another path; rejects with `conflict` where one is, unless `overwrite`. */
  move(
    from: string,
    to: string,
    options?: { overwrite?: boolean; expectedRevision?: number },
  ): Promise<StoredFile>;
  delete(path: string): Promise<void>;
  /** In the order of paths, without their bytes. Default limit: 200, in all folders. */
  list(page?: { after?: string; limit?: number; folder?: string }): Promise<FilePage>;
}

type Run<Value> = (control: Remote<Control>) => Promise<Outcome<Value>>;

/** The data of the user, on whichever worker there is. */
export function dataOf(supervisor: WorkerSupervisor): { notes: RuntimeNotes; files: RuntimeFiles } {
  const read = <Value>(run: Run<Value>) => supervisor.twice((server) => server.call(run));
  const write = <Value>(run: Run<Value>) => supervisor.once((server) => server.call(run));
  return {
    notes: {
      create: (note) => write((control) => control.createNote(note)),
      get: (id) => read((control) => control.getNote(id)),
      update: (id, update) => write((control) => control.updateNote(id, update)),
      delete: (id) => write((control) => control.deleteNote(id)),
      list: (page) => read((control) => control.listNotes(page)),
      search: (query, options) => read((control) => control.searchNotes(query, options)),
    },
    files: {
      write: (path, blob, options) => write((control) => control.writeFile(path, blob, options)),
      update: (path, update) => write((control) => control.updateFile(path, update)),
      read: (path) => read((control) => control.readFile(path)),
      move: (from, to, options) => write((control) => control.moveFile(from, to, options)),
      delete: (path) => write((control) => control.deleteFile(path)),
      list: (page) => read((control) => control.listFiles(page)),
    },
  };
}
