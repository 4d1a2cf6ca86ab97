import type { Store } from '@inpage-mcp/store';
import type { ExportedPiece } from './control-plane.js';
import { CancelledError } from './page-tasks.js';

/** How large a piece is at least, in bytes: each costs a message. The last may be smaller. */
const PIECE_BYTES = 256 * 1024;

/** A page that has not read on for so long has forgotten its stream. */
const FORGOTTEN_MS = 10 * 60_000;

/** An export that is being read. */
interface OpenExport {
  reader: ReadableStreamDefaultReader<Uint8Array>;
  timer?: ReturnType<typeof setTimeout>;
  done: number;
  total: number;
}

/** Exports that the page reads piece by piece. */
export class PageExports {
  readonly #open = new Map<number, OpenExport>();

  /** The next piece; the first one begins the export. Rejects as the export does, which is its end. */
  async read(task: number, store: Store): Promise<ExportedPiece> {
    const one = this.#open.get(task) ?? this.#begin(task, store);
    clearTimeout(one.timer);
    one.timer = setTimeout(() => this.cancel(task), FORGOTTEN_MS);
    try {
      const bytes = await gather(one.reader);
      const { done, total } = one;
      // Cancelled meanwhile: what ends so looks like the end of the archive.
      if (!this.#open.has(task)) throw new CancelledError();
      if (bytes) return { bytes, done, total };
      this.#forget(task);
      return { done, total };
    } catch (error) {
      this.#forget(task);
      throw error;
    }
  }

  /** Ends an export. One that has ended is left alone. */
  cancel(task: number): void {
    const { reader } = this.#open.get(task) ?? {};
    this.#forget(task);
    reader?.cancel(new CancelledError()).catch(() => undefined);
  }

  #forget(task: number): void {
    clearTimeout(this.#open.get(task)?.timer);
    this.#open.delete(task);
  }

  #begin(task: number, store: Store): OpenExport {
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

/** Enough of the stream to be worth a message; undefined at its end. */
async function gather(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (size < PIECE_BYTES) {
    const { value } = await reader.read();
    if (!value) break;
    chunks.push(value);
    size += value.length;
  }
  if (size === 0) return undefined;
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
