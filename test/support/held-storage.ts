import type { NoteStorage } from '../../packages/elements/src/act/mcp-note-editor/note-storage.js';

type Operation = keyof NoteStorage;

/** A storage of notes whose calls a test can hold up, and whose answers it can lose. */
export class HeldStorage implements NoteStorage {
  readonly calls: Operation[] = [];
  /** The operations that answer with this error, before or after they were carried out. */
  readonly failures = new Map<Operation, { error: Error; isCarriedOut?: boolean }>();
  readonly #storage: NoteStorage;
  readonly #held = new Map<Operation, { gate: Promise<void>; isAfter: boolean }>();

  constructor(storage: NoteStorage) {
    this.#storage = storage;
  }

  /**
   * Delays the next call of an operation.
   *
   * @param isAfter Whether it is carried out at once, and only its answer is late.
   * @returns What lets it go on.
   */
  hold(operation: Operation, isAfter = false): () => void {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    this.#held.set(operation, { gate, isAfter });
    return release;
  }

  get: NoteStorage['get'] = (...args) => this.#run('get', () => this.#storage.get(...args));

  update: NoteStorage['update'] = (...args) =>
    this.#run('update', () => this.#storage.update(...args));

  create: NoteStorage['create'] = (...args) =>
    this.#run('create', () => this.#storage.create(...args));

  async #run<Result>(operation: Operation, call: () => Promise<Result>): Promise<Result> {
    this.calls.push(operation);
    const held = this.#held.get(operation);
    this.#held.delete(operation);
    if (held && !held.isAfter) await held.gate;
    const failure = this.failures.get(operation);
    if (failure && !failure.isCarriedOut) throw failure.error;
    const result = await call();
    if (held?.isAfter) await held.gate;
    if (failure) throw failure.error;
    return result;
  }
}
