import { msg, str } from '@lit/localize';
import { html, nothing, type LitElement, type TemplateResult } from 'lit';
import { downloadBlob } from '../../base/element/download-blob.js';
import type { DataStorage, DataTaskOptions, ExportProtection } from './data-storage.js';
import { Passphrases } from './passphrases.js';
import { chooseFile, exportName } from './save-file.js';
import type { Act, Outcome, RunningAction, StorageTask } from './storage-task.js';

/** The encryption of an export. */
interface Lock {
  extension: string;
  apply: (zip: Blob, signal: AbortSignal) => Promise<Blob>;
}

/** Exports the data, with a passphrase if the user has chosen one. */
export class Exports {
  readonly #task: StorageTask;
  readonly #moveFocus: (selector: string) => void;
  readonly #passphrases: Passphrases;
  /** The encryption of the next export, if the user has asked for it. */
  #protection: ExportProtection | undefined;
  #isChoosing = false;

  /** @param moveFocus Moves the focus to a field that is not valid. */
  constructor(host: LitElement, task: StorageTask, moveFocus: (selector: string) => void) {
    this.#task = task;
    this.#moveFocus = moveFocus;
    this.#passphrases = new Passphrases(host, ['passphrase', 'repeated']);
  }

  /** Forgets the passphrase, and that the user wanted one. */
  forget(): void {
    this.#protection = undefined;
    this.#passphrases.clear();
  }

  /**
   * Renders the fields of the passphrase.
   *
   * @param onsubmit Called when the user sends the form by Enter.
   */
  renderForm(
    protection: ExportProtection | undefined,
    onsubmit: () => unknown,
  ): TemplateResult | undefined {
    if (!protection) return undefined;
    const toggle = ({ target }: Event): void => {
      const isWanted = (target as HTMLInputElement).checked;
      this.forget();
      if (isWanted) this.#protection = protection;
    };
    const onSubmit = (event: Event): void => {
      event.preventDefault();
      onsubmit();
    };
    const isWanted = this.#protection !== undefined;
    return html`<form class="form" novalidate @submit=${onSubmit}>
      <label class="check">
        <input type="checkbox" .checked=${isWanted} @change=${toggle} />
        ${msg('Protect it with a passphrase', { id: 'mcp.storage.lock' })}
      </label>
      ${
        isWanted
          ? html`${this.#passphrases.renderNew()}
              <p class="words">
                ${msg('Without it nobody can open the export: if you lose it, it cannot be recovered.', { id: 'mcp.storage.lock-words' })}
                ${protection.remark}
              </p>
              <button hidden></button>`
          : nothing
      }
    </form>`;
  }

  /** Exports into the downloads of the browser. */
  async save(storage: DataStorage | undefined, name: string): Promise<void> {
    const choice = this.#begin();
    if (!storage || !choice) return;
    const act: Act = (options) => download(storage, options, name, choice.lock);
    this.#end(await this.#task.run(exporting(), act));
  }

  /** Exports into a file that the user chooses, or into the downloads if the browser has no file picker. */
  async saveToFile(storage: DataStorage | undefined, name: string): Promise<void> {
    const choice = this.#begin();
    if (!storage || !choice) return;
    const { lock } = choice;
    this.#isChoosing = true;
    const file = await chooseFile(exportName(name, lock?.extension)).catch(
      (error: unknown) => error as DOMException,
    );
    this.#isChoosing = false;
    if (file instanceof DOMException && file.name === 'AbortError') return;
    const outcome = await this.#task.run(exporting(), async (options) => {
      if (!file) return await download(storage, options, name, lock);
      if (file instanceof DOMException) throw file;
      const zip = await storage.exportZip(options);
      const content = lock ? (await lock.apply(await blobOf(zip), options.signal)).stream() : zip;
      await content.pipeTo(file, { signal: options.signal });
      return { text: msg('Everything is exported.', { id: 'mcp.storage.exported' }) };
    });
    const isWhole = outcome !== undefined && outcome.isComplete !== false;
    if (!isWhole && file && 'abort' in file) await file.abort().catch(() => undefined);
    this.#end(outcome);
  }

  /**
   * The encryption of the export; `undefined` if it is not possible now, in which case the invalid fields
   * show the reason.
   */
  #begin(): { lock: Lock | undefined } | undefined {
    if (this.#task.running || this.#isChoosing) return undefined;
    const protection = this.#protection;
    if (!protection) return { lock: undefined };
    const passphrase = this.#passphrases.readNew();
    if (passphrase === undefined) {
      this.#moveFocus('[aria-invalid=true]');
      return undefined;
    }
    const { extension } = protection;
    return {
      lock: { extension, apply: (zip, signal) => protection.protect(zip, passphrase, signal) },
    };
  }

  /** Removes the fields after a complete export, and with them the passphrase. */
  #end(outcome: Outcome | undefined): void {
    if (outcome && outcome.isComplete !== false) this.forget();
  }
}

async function download(
  storage: DataStorage,
  options: DataTaskOptions,
  name: string,
  lock: Lock | undefined,
): ReturnType<Act> {
  const zip = await blobOf(await storage.exportZip(options));
  const file = exportName(name, lock?.extension);
  const content = lock ? await lock.apply(zip, options.signal) : zip;
  // The user may have cancelled the export in the meantime.
  options.signal.throwIfAborted();
  downloadBlob(content, file);
  return { text: msg(str`It is in your downloads: ${file}`, { id: 'mcp.storage.downloaded' }) };
}

/**
 * Reads an export.
 *
 * @throws {Error} if it is empty, because a user who has an export may then delete all data.
 */
async function blobOf(zip: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Blob> {
  const blob = await new Response(zip).blob();
  if (blob.size === 0) throw new Error();
  return blob;
}

const exporting = (): RunningAction => ({
  action: 'export',
  text: msg('Exporting', { id: 'mcp.storage.exporting' }),
  progress: { done: 0, total: 0 },
});
