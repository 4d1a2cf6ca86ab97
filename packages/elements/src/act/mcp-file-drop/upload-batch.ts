import type { ConflictChoice, FileTarget, FileToSave } from './file-target.js';

/** How many names are tried for a file whose path is taken. */
const MAX_COPIES = 1_000;

/** A file that could not be written, and why. */
export interface FailedFile {
  /** Where it was to be written. */
  path: string;
  /** What the target has rejected with. */
  error: unknown;
}

/** The state of a batch: `asking` waits for the user's choice about the conflicts. */
export type BatchState = 'waiting' | 'saving' | 'asking' | 'done' | 'cancelled';

/**
 * Files that the user has added together: written one after the other. Files whose path is taken
 * wait for one choice for all of them.
 *
 * A failure ends that file only. Fires `change` after each change.
 */
export class UploadBatch extends EventTarget {
  readonly #target: FileTarget;
  #cancelling = new AbortController();
  readonly #saved: string[] = [];
  readonly #failed: FailedFile[] = [];
  readonly #skipped: string[] = [];
  #toWrite: readonly FileToSave[];
  #toRetry: FileToSave[] = [];
  #conflicts: FileToSave[] = [];
  #state: BatchState = 'waiting';
  #current: FileToSave | undefined;
  #doneBytes = 0;
  #currentBytes = 0;
  #choose: ((choice: ConflictChoice) => void) | undefined;
  /** What was chosen for taken paths, by the user or by the page. */
  #choice: ConflictChoice | undefined;
  /** How many files the batch has. */
  readonly total: number;
  /** How many bytes the files have. */
  readonly totalBytes: number;

  constructor(target: FileTarget, files: readonly FileToSave[]) {
    super();
    this.#target = target;
    this.#toWrite = files;
    this.total = files.length;
    this.totalBytes = files.reduce((sum, { file }) => sum + file.size, 0);
  }

  get state(): BatchState {
    return this.#state;
  }

  /** The path of the file that is being written. */
  get current(): string | undefined {
    return this.#current?.path;
  }

  /** How many files need nothing more. */
  get done(): number {
    return this.#saved.length + this.#failed.length + this.#skipped.length;
  }

  /** The written share of all bytes, from 0 to 1. */
  get progress(): number {
    if (this.totalBytes === 0) return this.done / this.total;
    return Math.min(1, (this.#doneBytes + this.#currentBytes) / this.totalBytes);
  }

  /** The paths of the written files. */
  get saved(): readonly string[] {
    return this.#saved;
  }

  get failed(): readonly FailedFile[] {
    return this.#failed;
  }

  /** The paths of the files that the user skipped. */
  get skipped(): readonly string[] {
    return this.#skipped;
  }

  /** The paths that are taken, in the state `asking`. */
  get conflicts(): readonly string[] {
    return this.#conflicts.map(({ path }) => path);
  }

  /** Whether the batch needs nothing more. */
  get isOver(): boolean {
    return this.#state === 'done' || this.#state === 'cancelled';
  }

  /**
   * Writes the files; after `retry()`, those that had failed. Never rejects.
   *
   * @param choice What happens with taken paths. Default: the batch asks, once.
   */
  async run(choice?: ConflictChoice): Promise<void> {
    this.#choice ??= choice;
    const files = this.#toWrite;
    this.#toWrite = [];
    this.#show('saving');
    // Whether a path is taken shows only when the file is written.
    const first = this.#choice === 'replace' ? 'replace' : 'skip';
    await this.#saveAll(files, first, first === 'skip');
    if (this.#conflicts.length > 0) await this.#settleConflicts();
    this.#end();
  }

  /** Answers what happens with the taken paths. */
  choose(choice: ConflictChoice): void {
    this.#choose?.(choice);
  }

  /** Cancels what is not written yet. */
  cancel(): void {
    this.#cancelling.abort();
    this.#choose?.('skip');
  }

  /** Has the next `run()` write the failed files again, with what was chosen for taken paths. */
  retry(): void {
    this.#toWrite = this.#toRetry;
    this.#toRetry = [];
    this.#failed.length = 0;
    this.#doneBytes -= this.#toWrite.reduce((sum, { file }) => sum + file.size, 0);
    // What was cancelled before stays so.
    this.#cancelling = new AbortController();
    this.#show('waiting');
  }

  async #settleConflicts(): Promise<void> {
    const files = this.#conflicts;
    const chosen = this.#choice ?? (await this.#ask());
    this.#conflicts = [];
    if (!this.#cancelling.signal.aborted) this.#choice = chosen;
    if (chosen === 'skip') {
      // A cancelled batch names what it did not write in another way.
      if (!this.#cancelling.signal.aborted) this.#skipped.push(...files.map(({ path }) => path));
      return;
    }
    this.#show('saving');
    await this.#saveAll(files, chosen, false);
  }

  async #ask(): Promise<ConflictChoice> {
    if (this.#cancelling.signal.aborted) return 'skip';
    this.#show('asking');
    const choice = await new Promise<ConflictChoice>((resolve) => (this.#choose = resolve));
    this.#choose = undefined;
    return choice;
  }

  async #saveAll(
    files: readonly FileToSave[],
    choice: ConflictChoice,
    collectsConflicts: boolean,
  ): Promise<void> {
    for (const one of files) {
      if (this.#cancelling.signal.aborted) return;
      this.#current = one;
      this.#currentBytes = 0;
      this.#show('saving');
      try {
        this.#saved.push(await this.#saveOne(one, choice));
        this.#doneBytes += one.file.size;
      } catch (error) {
        if (this.#cancelling.signal.aborted) return;
        if (collectsConflicts && isConflict(error)) this.#conflicts.push(one);
        else this.#fail(one, error);
      }
    }
  }

  #fail(one: FileToSave, error: unknown): void {
    this.#doneBytes += one.file.size;
    this.#failed.push({ path: one.path, error });
    this.#toRetry.push(one);
  }

  /** Resolves with the path at which the file is. */
  async #saveOne({ path, file }: FileToSave, choice: ConflictChoice): Promise<string> {
    for (let copy = 1; ; copy += 1) {
      const free = copy === 1 ? path : numbered(path, copy);
      try {
        await this.#target.write(free, file, {
          ...(choice !== 'replace' && { expectedRevision: 0 }),
          signal: this.#cancelling.signal,
          onProgress: (done) => this.#progress(done),
        });
        return free;
      } catch (error) {
        if (choice !== 'keep-both' || !isConflict(error) || copy === MAX_COPIES) throw error;
      }
    }
  }

  #progress(doneBytes: number): void {
    // A target of an app may report anything.
    if (!Number.isFinite(doneBytes)) return;
    this.#currentBytes = doneBytes;
    this.dispatchEvent(new Event('change'));
  }

  #end(): void {
    this.#current = undefined;
    this.#currentBytes = 0;
    this.#show(this.done < this.total ? 'cancelled' : 'done');
  }

  #show(state: BatchState): void {
    this.#state = state;
    this.dispatchEvent(new Event('change'));
  }
}

function isConflict(error: unknown): boolean {
  return (error as { code?: unknown } | null | undefined)?.code === 'conflict';
}

/** `a/b.txt` as `a/b (2).txt`. */
function numbered(path: string, copy: number): string {
  const dot = path.lastIndexOf('.');
  const end = dot > path.lastIndexOf('/') + 1 ? dot : path.length;
  return `${path.slice(0, end)} (${copy})${path.slice(end)}`;
}
