import { msg, str } from '@lit/localize';
import { html, type LitElement, type TemplateResult } from 'lit';
import { isolate } from '../../base/text/format.js';
import { truncateText } from '../../base/text/truncate-text.js';
import { codeOf } from '../../reading/gate.js';
import type { DataStorage, DataTaskOptions, ExportProtection } from './data-storage.js';
import { Passphrases } from './passphrases.js';
import type { Act, RunningAction, StorageTask } from './storage-task.js';
import { importInWords, problemInWords, skippedInWords } from './words.js';

/** A file that waits for its passphrase, and the object that decrypts it. */
interface LockedFile {
  file: File;
  protection: ExportProtection;
}

/** Imports files, which may first need a passphrase or an answer. */
export class Imports {
  readonly #task: StorageTask;
  readonly #moveFocus: (selector: string) => void;
  readonly #passphrases: Passphrases;
  #locked: LockedFile | undefined;

  /** @param moveFocus Moves the focus to the next part. */
  constructor(host: LitElement, task: StorageTask, moveFocus: (selector: string) => void) {
    this.#task = task;
    this.#moveFocus = moveFocus;
    this.#passphrases = new Passphrases(host, ['unlocking']);
  }

  /** Forgets the file that waits, and its passphrase. */
  forget(): void {
    this.#locked = undefined;
    this.#passphrases.clear();
  }

  /** Renders the form for a passphrase, if a file waits for it. */
  renderForm(storage: DataStorage): TemplateResult | undefined {
    if (!this.#locked) return undefined;
    const name = isolate(truncateText(this.#locked.file.name, 80));
    const onSubmit = (event: Event): void => {
      event.preventDefault();
      void this.#unlock(storage);
    };
    const onCancel = (): void => {
      // An export may be running.
      if (this.#task.running?.action === 'import') this.#task.cancel();
      this.forget();
      this.#moveFocus('[data-action=import]');
    };
    return html`<form class="form" novalidate @submit=${onSubmit}>
      <p>${msg(str`${name} is encrypted.`, { id: 'mcp.storage.encrypted' })}</p>
      ${this.#passphrases.renderOfFile()}
      <div class="buttons">
        <button class="primary">${msg('Open and import', { id: 'mcp.storage.unlock' })}</button>
        <button type="button" @click=${onCancel}>
          ${msg('Not now', { id: 'mcp.storage.not-now' })}
        </button>
      </div>
    </form>`;
  }

  /** Imports a file, or asks for its passphrase. */
  async add(
    storage: DataStorage,
    protection: ExportProtection | undefined,
    file: File,
  ): Promise<void> {
    if (this.#task.running) return;
    this.forget();
    await this.#task.run(importing(), async (options) => {
      if (!protection || !(await protection.isProtected(file)))
        return await this.#import(storage, file, options);
      options.signal.throwIfAborted();
      this.#locked = { file, protection };
      this.#moveFocus('#unlocking');
      return undefined;
    });
  }

  /** Decrypts the file that waits. After a failure the passphrase can be typed again. */
  async #unlock(storage: DataStorage): Promise<void> {
    const passphrase = this.#passphrases.readOfFile();
    const locked = this.#locked;
    if (this.#task.running || passphrase === undefined || !locked) return;
    const { file, protection } = locked;
    const outcome = await this.#task.run(importing(), async (options) => {
      const zip = await protection.open(file, passphrase, options.signal);
      return await this.#import(storage, zip, options);
    });
    if (this.#locked !== locked) return;
    if (outcome?.failed) return this.#moveFocus('#unlocking');
    this.forget();
    this.#moveFocus('[data-action=import]');
  }

  async #import(storage: DataStorage, zip: Blob, options: DataTaskOptions): ReturnType<Act> {
    const { signal } = options;
    signal.throwIfAborted();
    try {
      return report(await storage.importZip(zip, options));
    } catch (error) {
      // A small zip may become large when it is unpacked. Nothing was imported yet.
      if (codeOf(error) !== 'too-large') throw error;
      if (!(await this.#agrees(error, signal)))
        return {
          text: msg('Nothing was imported.', { id: 'mcp.storage.not-imported' }),
          isComplete: false,
        };
    }
    return report(await storage.importZip(zip, { ...options, maxBytes: Infinity }));
  }

  async #agrees(error: unknown, signal: AbortSignal): Promise<boolean> {
    this.#moveFocus('.question .no');
    const question = {
      action: 'import',
      text: () => problemInWords(error),
      yes: () => msg('Import it anyway', { id: 'mcp.storage.import-yes' }),
      no: () => msg('Not now', { id: 'mcp.storage.not-now' }),
    } as const;
    return await this.#task.ask(question, signal);
  }
}

const report = (answer: unknown): { text: string; lines: string[] } => ({
  text: importInWords(answer),
  lines: skippedInWords(answer),
});

const importing = (): RunningAction => ({
  action: 'import',
  text: msg('Importing', { id: 'mcp.storage.importing' }),
  progress: { done: 0, total: 0 },
});
