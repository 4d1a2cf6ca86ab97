import { codeOf } from '../../reading/gate.js';
import type { ConflictChoice, FileTarget, FileToSave } from './file-target.js';

/** The maximum number of names that are tried for a file whose path is taken. */
const MAX_COPIES = 1_000;

/** A file that could not be written, and the reason. */
export interface FailedFile extends FileToSave {
  /** The error of the target. */
  error: unknown;
}

/** The state of a batch: `asking` waits for the user's choice about the conflicts. */
type BatchState = 'waiting' | 'saving' | 'asking' | 'done' | 'cancelled';

/**
 * Files that the user has added together. They are written one after the other. Files whose path is taken
 * wait for one choice for all of them. A failure affects only its own file. Fires `change` after each change.
 */
export class UploadBatch extends EventTarget {
  readonly #target: FileTarget;
  readonly #files: readonly FileToSave[];
  readonly #cancelling = new AbortController();
  state: BatchState = 'waiting';
  #doneBytes = 0;
  #currentBytes = 0;
  #answer: ((choice: ConflictChoice) => void) | undefined;
  /**
   * The way to treat files whose paths are taken, chosen by the user or by the page. Default: the batch asks,
   * once.
   */
  choice: ConflictChoice | undefined;
  /** The path of the file that is being written. */
  current: string | undefined;
  /** The paths of the written files. */
  readonly saved: string[] = [];
  readonly failed: FailedFile[] = [];
  /** The paths of the files that the user skipped. */
  readonly skipped: string[] = [];
  /** The files whose paths are taken. */
  readonly conflicts: FileToSave[] = [];
  /** The total size of the files, in bytes. */
  readonly totalBytes: number;

  constructor(target: FileTarget, files: readonly FileToSave[], choice?: ConflictChoice) {
    super();
    this.#target = target;
    this.#files = files;
    this.choice = choice;
    this.totalBytes = files.reduce((sum, { file }) => sum + file.size, 0);
  }

  /** The number of files in the batch. */
  get total(): number {
    return this.#files.length;
  }

  /** The number of files that need no further action. */
  get done(): number {
    return this.saved.length + this.failed.length + this.skipped.length;
  }

  /** The written share of all bytes, from 0 to 1. */
  get progress(): number {
    if (this.totalBytes === 0) return this.done / this.total;
    return Math.min(1, (this.#doneBytes + this.#currentBytes) / this.totalBytes);
  }

  /** Whether the batch needs no further action. */
  get isOver(): boolean {
    return this.state === 'done' || this.state === 'cancelled';
  }

  /** Writes the files. Never rejects. */
  async run(): Promise<void> {
    // Only the write itself shows whether a path is taken.
    await this.#saveAll(this.#files, this.choice === 'replace' ? 'replace' : undefined);
    if (this.conflicts.length > 0) {
      const choice = this.choice ?? (await this.#ask());
      if (!this.#isCancelled) this.choice = choice;
      if (choice !== 'skip') await this.#saveAll(this.conflicts, choice);
      // A cancelled batch reports the files that it did not write in another way.
      else if (!this.#isCancelled) this.skipped.push(...this.conflicts.map(({ path }) => path));
    }
    this.current = undefined;
    this.#show(this.done < this.total ? 'cancelled' : 'done');
  }

  /** Decides about the files whose paths are taken. */
  choose(choice: ConflictChoice): void {
    this.#answer?.(choice);
  }

  /** Cancels the writes that have not been made yet. */
  cancel(): void {
    this.#cancelling.abort();
    this.#answer?.('skip');
  }

  get #isCancelled(): boolean {
    return this.#cancelling.signal.aborted;
  }

  async #ask(): Promise<ConflictChoice> {
    if (this.#isCancelled) return 'skip';
    this.#show('asking');
    return await new Promise((resolve) => (this.#answer = resolve));
  }

  /**
   * Writes files.
   *
   * @param choice Without one, files whose path is taken become conflicts.
   */
  async #saveAll(files: readonly FileToSave[], choice?: ConflictChoice): Promise<void> {
    for (const { path, file } of files) {
      if (this.#isCancelled) return;
      this.current = path;
      this.#show('saving');
      try {
        this.saved.push(await this.#save(path, file, choice));
        this.#doneBytes += file.size;
      } catch (error) {
        if (this.#isCancelled) return;
        if (!choice && codeOf(error) === 'conflict') this.conflicts.push({ path, file });
        else {
          this.#doneBytes += file.size;
          this.failed.push({ path, file, error });
        }
      }
      this.#currentBytes = 0;
    }
  }

  /** Writes a file. Resolves with the path at which it was written. */
  async #save(path: string, file: File, choice?: ConflictChoice): Promise<string> {
    for (let copy = 1; ; copy += 1) {
      const free = copy === 1 ? path : numbered(path, copy);
      try {
        await this.#target.write(free, file, {
          ...(choice !== 'replace' && { expectedRevision: 0 }),
          signal: this.#cancelling.signal,
          onProgress: (done) => this.#onProgress(done),
        });
        return free;
      } catch (error) {
        if (choice !== 'keep-both' || codeOf(error) !== 'conflict' || copy === MAX_COPIES)
          throw error;
      }
    }
  }

  #onProgress(doneBytes: number): void {
    // A target of an app may report any value.
    if (!Number.isFinite(doneBytes)) return;
    this.#currentBytes = doneBytes;
    this.dispatchEvent(new Event('change'));
  }

  #show(state: BatchState): void {
    this.state = state;
    this.dispatchEvent(new Event('change'));
  }
}

/** The path of a copy: `a/b (2).txt` for `a/b.txt`. */
function numbered(path: string, copy: number): string {
  const dot = path.lastIndexOf('.');
  const end = dot > path.lastIndexOf('/') + 1 ? dot : path.length;
  return `${path.slice(0, end)} (${copy})${path.slice(end)}`;
}

/**
 * Fired when the user has added files to an `<mcp-file-drop>`. If it is cancelled, the element saves nothing,
 * so that an app can save the files itself.
 */
export class McpFilesAddEvent extends Event {
  static readonly eventName = 'mcp-files-add';
  /** The files, with the paths at which they will be saved. */
  readonly files: readonly FileToSave[];

  constructor(files: readonly FileToSave[]) {
    super(McpFilesAddEvent.eventName, { bubbles: true, composed: true, cancelable: true });
    this.files = files;
  }
}

/** Fired when an `<mcp-file-drop>` has finished with the files that were added together. */
export class McpFilesSaveEvent extends Event {
  static readonly eventName = 'mcp-files-save';
  /** The paths of the saved files, as they are stored. */
  readonly saved: readonly string[];
  /** The files that could not be saved, and the reasons. */
  readonly failed: readonly FailedFile[];
  /** The paths that were taken, and that the user skipped. */
  readonly skipped: readonly string[];
  /** Whether all files are saved. */
  readonly isComplete: boolean;
  /** Whether the user cancelled the rest. */
  readonly isCancelled: boolean;

  constructor({ saved, failed, skipped, state, total }: UploadBatch) {
    const isComplete = saved.length === total;
    super(McpFilesSaveEvent.eventName, { bubbles: true, composed: true, cancelable: isComplete });
    this.isComplete = isComplete;
    this.saved = saved;
    this.failed = failed;
    this.skipped = skipped;
    this.isCancelled = state === 'cancelled';
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'mcp-files-add': McpFilesAddEvent;
    'mcp-files-save': McpFilesSaveEvent;
  }
}
