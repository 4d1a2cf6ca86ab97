import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The file that exists while a page is connected. It stays if the bridge ends first, because the page is then
 * probably still open and will connect again. So a program that starts a bridge for one question can wait for
 * the page.
 */
export class PageMarker {
  readonly #path: string;
  #isThere = false;

  /** @param port The port to which the page connects. */
  constructor(folder: string, port: number) {
    this.#path = join(folder, `page-${port}`);
  }

  get exists(): boolean {
    return existsSync(this.#path);
  }

  /** Updates the file: a page has connected to this process, or the last page has disconnected. */
  update(isThere: boolean): void {
    if (isThere === this.#isThere) return;
    this.#isThere = isThere;
    if (!isThere) return this.delete();
    try {
      writeFileSync(this.#path, '', { mode: 0o600 });
    } catch {
      // Without the file, programs do not wait for the page.
    }
  }

  /** Deletes the file, because the page has not connected again in time. */
  delete(): void {
    try {
      rmSync(this.#path, { force: true });
    } catch {
      // If the file stays, programs wait for the page again.
    }
  }
}
