import { abortable } from './checks.js';
import { type Json, listOf, objectOf, revisionOf } from './couchdb-answers.js';
import { type Ask, DOCUMENT_BYTES, ROWS } from './couchdb-requests.js';
import { RemoteError } from './remote.js';

/** A document that waits to be written. */
interface Write {
  document: Json;
  signal: AbortSignal;
  resolve: (revision: string) => void;
  reject: (error: unknown) => void;
}

/** Writes documents. Those that arrive while a request is in progress are written together. */
export class Writes {
  readonly #ask: Ask;
  #waiting: Write[] = [];
  #isWriting = false;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /**
   * Writes a document.
   *
   * @returns The revision.
   */
  async write(document: Json, signal: AbortSignal): Promise<string> {
    const written = new Promise<string>((resolve, reject) => {
      this.#waiting.push({ document, signal, resolve, reject });
    });
    void this.#writeAll();
    return await abortable(written, signal);
  }

  async #writeAll(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const group = this.#next();
      try {
        const rows = group.length > 1 ? await this.#writeGroup(group) : [];
        await Promise.all(group.map((write, index) => this.#finish(write, rows[index])));
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#isWriting = false;
  }

  /** The waiting writes that are not aborted, as many as fit into a request. */
  #next(): Write[] {
    let bytes = 0;
    const fits = ({ document }: Write): boolean =>
      (bytes += String(document['bytes']).length) <= DOCUMENT_BYTES;
    this.#waiting = this.#waiting.filter(({ signal }) => !signal.aborted);
    const end = this.#waiting.findIndex((write, index) => !fits(write) && index > 0);
    return this.#waiting.splice(0, end < 0 ? ROWS : Math.min(end, ROWS));
  }

  /** The answers to the writes; empty if the server refuses such a request. */
  async #writeGroup(group: readonly Write[]): Promise<unknown[]> {
    const body = { docs: group.map(({ document }) => document) };
    const { signal } = new AbortController();
    try {
      return listOf((await this.#ask(signal, 'POST', '/_bulk_docs', { body })).value);
    } catch (error) {
      if (error instanceof RemoteError && error.code === 'invalid') return [];
      throw error;
    }
  }

  /**
   * Completes a write. A document that was not written with the others is written alone, so that the server
   * reports the reason.
   */
  async #finish({ document, signal, resolve, reject }: Write, row: unknown = {}): Promise<void> {
    const { _id: id, ...body } = document;
    try {
      let { rev } = objectOf(row);
      if (rev === undefined)
        rev = (await this.#ask(signal, 'PUT', `/${String(id)}`, { body })).value['rev'];
      resolve(revisionOf(rev));
    } catch (error) {
      reject(error);
    }
  }
}
