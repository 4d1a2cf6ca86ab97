import type { Store } from '@inpage-mcp/store';
import type { ExportedPiece } from './control-plane.js';
import { CancelledError } from './page-tasks.js';

/** The time without a read after which an export is cancelled. */
const IDLE_TIMEOUT_MS = 10 * 60_000;

/** An export that is being read. */
interface OpenExport {
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  timer?: ReturnType<typeof setTimeout>;
  done: number;
  total: number;
}

/** Exports that the page reads piece by piece. */
export class PageExports {
  readonly #open = new Map<number, OpenExport>();
  /**
   * The exports that must not begin: those that have begun, because one that has ended would continue with
   * its beginning, and those that were cancelled while the server was still opening.
   */
  readonly #begun = new Set<number>();

  /** The next piece; the first call begins the export. If it rejects, the export has ended. */
  async read(task: number, store: Store): Promise<ExportedPiece> {
    const one = this.#open.get(task) ?? this.#begin(task, store);
    clearTimeout(one.timer);
    one.timer = setTimeout(() => this.cancel(task), IDLE_TIMEOUT_MS);
    try {
      const { value: bytes } = await one.reader.read();
      const { done, total } = one;
      // A cancelled stream ends like a complete archive.
      if (!this.#open.has(task)) throw new CancelledError();
      if (bytes) return { bytes, done, total };
      this.#forget(task);
      return { done, total };
    } catch (error) {
      this.#forget(task);
      throw error;
    }
  }

  /** Cancels an export. Does nothing if it has ended. */
  cancel(task: number): void {
    const { reader } = this.#open.get(task) ?? {};
    this.#begun.add(task);
    this.#forget(task);
    reader?.cancel(new CancelledError()).catch(() => undefined);
  }

  #forget(task: number): void {
    clearTimeout(this.#open.get(task)?.timer);
    this.#open.delete(task);
  }

  #begin(task: number, store: Store): OpenExport {
    if (this.#begun.has(task)) throw new CancelledError();
    this.#begun.add(task);
    const onProgress = (done: number, total: number): void => {
      Object.assign(one, { done, total });
    };
    const one: OpenExport = {
      reader: store.exportZip({ onProgress }).getReader(),
      done: 0,
      total: 0,
    };
    this.#open.set(task, one);
    return one;
  }
}
