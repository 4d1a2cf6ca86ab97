import type { McpClient } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { keepFocus } from '../../base/element/focus-keeper.js';
import { McpElement } from '../../base/element/mcp-element.js';
import { theme } from '../../base/look/theme.js';
import { isolate } from '../../base/text/format.js';
import { truncateText } from '../../base/text/truncate-text.js';
import { labelStyles } from '../../fields/form/fields.styles.js';
import { codeOf } from '../../reading/gate.js';
import { Throttle } from '../../reading/throttle.js';
import type {
  DataEstimate,
  DataStorage,
  DataTaskOptions,
  ExportProtection,
} from './data-storage.js';
import { McpStorageDoneEvent } from './events.js';
import { styles } from './mcp-storage.styles.js';
import { Passphrases } from './passphrases.js';
import { renderAmount, renderRow } from './render-row.js';
import { clearRow, exportRow, importRow, persistRow, type RowText } from './rows.js';
import { chooseFile, downloadBlob, exportName } from './save-file.js';
import { StorageTask, type Act, type Outcome } from './storage-task.js';
import { amountInWords, importInWords, problemInWords, skippedInWords } from './words.js';

/** The resource of a server of this project that changes with how much is stored. */
const STORAGE_URI = 'inpage:///storage';

/**
 * All of the user's data: how much there is, and how it is protected from the browser's clean-up, exported,
 * imported and deleted.
 *
 * Works with `storage`, such as `runtime.storage`. With a client, from `<mcp-provider>` or its own, it counts
 * again whenever something has changed. An action that runs goes on while the element is out of sight; the
 * browser asks before the page is left.
 *
 * @element mcp-storage
 * @slot - Rows of the page, before the one that deletes.
 * @fires mcp-storage-done - An action has ended.
 * @csspart amount - How much there is.
 * @csspart row - An action; each is also a part of its own: `persist`, `export`, `import` and `clear`.
 * @csspart question - A question before something is deleted, or before a large import.
 * @csspart progress - How far an action is.
 * @csspart result - What came of it.
 * @cssprop [--mcp-color-danger] - Failures, and what deletes.
 * @cssprop [--mcp-color-success] - What is protected.
 * @cssstate running - An action runs.
 */
export class McpStorage extends McpElement {
  static override readonly styles = [theme, labelStyles, styles];

  static override readonly properties = {
    storage: { attribute: false },
    protection: { attribute: false },
    exportName: { attribute: 'export-name' },
  };

  /** The data. Default: none; the element says so. */
  declare storage: DataStorage | undefined;
  /** Encrypts exports that the user gives a passphrase. Default: none, and no passphrase is offered. */
  declare protection: ExportProtection | undefined;
  /** How the name of an export begins, before the day. Default: `notes`. */
  declare exportName: string;

  readonly #task = new StorageTask(this, (outcome) => this.#onDone(outcome));
  readonly #passphrases = new Passphrases(this);
  readonly #counting = new Throttle(() => this.#count());
  #estimate: DataEstimate | undefined;
  /** Why there is no estimate. */
  #failure: unknown;
  #watched: { client: McpClient | undefined; storage: DataStorage | undefined } | undefined;
  #watching = new AbortController();
  /** Whether the export is to have a passphrase. */
  #isLocking = false;
  /** The file that was chosen for an import and waits for its passphrase. */
  #locked: File | undefined;
  /** Gets the focus as soon as it is there, unless something else in the page has it; '' for nothing. */
  #focusTarget = '';

  constructor() {
    super();
    this.exportName = 'notes';
    keepFocus(this, (focused) => {
      const row = focused.closest('.row');
      return () => row?.querySelector('[data-action]');
    });
  }

  /** Counts again, as after a change that no client reports. */
  refresh(): void {
    this.#counting.request();
  }

  /** Forgets what came of the last action, and what was asked. What runs goes on, unless it asks something. */
  reset(): void {
    this.#isLocking = false;
    this.#locked = undefined;
    this.#passphrases.forget();
    this.#task.answer(false);
    this.#task.forget();
  }

  /**
   * Exports everything into a file that the user chooses, piece by piece, because there may be no room here;
   * into the downloads where the browser lets no file be chosen. Call it in a handler of a click. Resolves
   * when it is done, has failed, or the user has chosen no file, and never rejects.
   */
  async exportToFile(): Promise<void> {
    if (this.#task.running) return;
    let file: WritableStream | undefined;
    try {
      file = await chooseFile(exportName(this.exportName));
    } catch (error) {
      if ((error as DOMException).name === 'AbortError') return;
      await this.#run(exporting(), async () => {
        throw error as DOMException;
      });
      return;
    }
    await this.#run(exporting(), async (storage, options) => {
      if (!file) return await this.#download(storage, options);
      await (await storage.exportZip(options)).pipeTo(file, { signal: options.signal });
      return { text: msg('Everything is exported.', { id: 'mcp.storage.exported' }) };
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#watching.abort();
    this.#watched = undefined;
    this.#counting.cancel();
    this.#task.answer(false);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('storage')) {
      this.#estimate = this.#failure = undefined;
      this.reset();
    }
    this.#watch();
    this.setState('running', this.#task.running !== undefined);
  }

  protected override updated(): void {
    const target =
      this.#focusTarget && this.renderRoot.querySelector<HTMLElement>(this.#focusTarget);
    if (!target) return;
    this.#focusTarget = '';
    const { activeElement } = this.getRootNode() as Document | ShadowRoot;
    if ([null, document.body, this].includes(activeElement as HTMLElement | null)) target.focus();
  }

  protected override render(): TemplateResult {
    if (!this.storage)
      return html`<div class="message">
        ${msg('There is no storage here.', { id: 'mcp.storage.none' })}
      </div>`;
    const row = (text: RowText, run: () => unknown, form?: Form): TemplateResult =>
      renderRow(text, { run, form }, this.#task);
    return html`${renderAmount(this.#estimate, this.#failure)}
      ${row(persistRow(this.#estimate?.persisted === true), () => this.#persist())}
      ${row(exportRow(), () => this.#export(), this.#renderExportForm())}
      ${row(importRow(), () => this.#input.click(), this.#renderImportForm())}
      <slot></slot>
      ${row(clearRow(), () => this.#clear())}
      <input
        type="file"
        accept=${['.zip', 'application/zip', this.protection?.extension].filter(Boolean).join()}
        hidden
        @change=${this.#onFileChosen}
      />`;
  }

  #renderExportForm(): Form {
    if (!this.protection) return undefined;
    const toggle = ({ target }: Event): void => {
      this.#isLocking = (target as HTMLInputElement).checked;
      this.#passphrases.forget();
    };
    const onSubmit = (event: Event): void => {
      event.preventDefault();
      void this.#export();
    };
    return html`<form class="form" novalidate @submit=${onSubmit}>
      <label class="check">
        <input type="checkbox" .checked=${this.#isLocking} @change=${toggle} />
        ${msg('Protect it with a passphrase', { id: 'mcp.storage.lock' })}
      </label>
      ${
        this.#isLocking
          ? html`${this.#passphrases.renderNew()}
              <p class="words">
                ${msg('Without it nobody can open the export: if you lose it, it cannot be recovered.', { id: 'mcp.storage.lock-words' })}
                ${this.protection.remark}
              </p>
              <button hidden></button>`
          : nothing
      }
    </form>`;
  }

  #renderImportForm(): Form {
    if (!this.#locked) return undefined;
    const name = isolate(truncateText(this.#locked.name, 80));
    return html`<form class="form" novalidate @submit=${this.#onUnlock}>
      <p>${msg(str`${name} is encrypted.`, { id: 'mcp.storage.encrypted' })}</p>
      ${this.#passphrases.renderOfFile()}
      <div class="buttons">
        <button class="primary">${msg('Open and import', { id: 'mcp.storage.unlock' })}</button>
        <button type="button" @click=${() => this.#lock(undefined)}>
          ${msg('Not now', { id: 'mcp.storage.not-now' })}
        </button>
      </div>
    </form>`;
  }

  async #persist(): Promise<void> {
    const text = msg('Asking the browser …', { id: 'mcp.storage.asking' });
    await this.#run({ action: 'persist', text }, async (storage) => {
      const { persisted, isAsking } = await storage.persist();
      if (persisted)
        return {
          text: msg('The browser keeps it until you delete it.', { id: 'mcp.storage.kept' }),
        };
      return {
        text: isAsking
          ? msg('The browser asks you whether to keep it.', { id: 'mcp.storage.browser-asks' })
          : msg('Not yet. The browser may delete it when room is short; you can ask again later.', {
              id: 'mcp.storage.not-kept',
            }),
        isComplete: false,
      };
    });
  }

  async #export(): Promise<void> {
    const { protection } = this;
    if (this.#task.running) return;
    if (!protection || !this.#isLocking)
      return void (await this.#run(exporting(), (storage, options) =>
        this.#download(storage, options),
      ));
    const passphrase = this.#passphrases.readNew();
    if (passphrase === undefined) return void (this.#focusTarget = '[aria-invalid=true]');
    const outcome = await this.#run(exporting(), (storage, options) =>
      this.#download(storage, options, {
        extension: protection.extension,
        protect: (zip, signal) => protection.protect(zip, passphrase, signal),
      }),
    );
    // With the fields, the passphrase goes.
    if (outcome?.isComplete === false) return;
    this.#isLocking = false;
    this.requestUpdate();
  }

  /** @param lock Encrypts it. Default: it is saved as it is. */
  async #download(
    storage: DataStorage,
    options: DataTaskOptions,
    lock?: { extension: string; protect: (zip: Blob, signal: AbortSignal) => Promise<Blob> },
  ): ReturnType<Act> {
    const zip = await new Response(await storage.exportZip(options)).blob();
    const name = exportName(this.exportName, lock?.extension);
    downloadBlob(lock ? await lock.protect(zip, options.signal) : zip, name);
    return { text: msg(str`It is in your downloads: ${name}`, { id: 'mcp.storage.downloaded' }) };
  }

  async #onFileChosen(): Promise<void> {
    const [file] = this.#input.files ?? [];
    // The same file can be chosen again.
    this.#input.value = '';
    if (!file || this.#task.running) return;
    const isLocked = await this.protection?.isProtected(file).catch(() => false);
    this.#task.forget();
    this.#lock(isLocked ? file : undefined);
    if (!isLocked) await this.#import(file);
  }

  /** Asks for the passphrase of a file, or no longer. */
  #lock(file: File | undefined): void {
    this.#locked = file;
    this.#passphrases.forget();
    this.#focusTarget = file ? '#unlocking' : '[data-action=import]';
  }

  /** After a failure it can be typed again. */
  async #onUnlock(event: Event): Promise<void> {
    event.preventDefault();
    const [file, passphrase] = [this.#locked, this.#passphrases.readOfFile()];
    if (this.#task.running || !file) return;
    const outcome = passphrase && (await this.#import(file, passphrase));
    if (outcome && !outcome.failed) this.#lock(undefined);
    else this.#passphrases.selectOfFile();
  }

  async #import(file: File, passphrase?: string): Promise<Outcome | undefined> {
    const text = msg('Importing', { id: 'mcp.storage.importing' });
    const progress = { done: 0, total: 0 };
    return await this.#run({ action: 'import', text, progress }, async (storage, options) => {
      const zip =
        passphrase === undefined
          ? file
          : await this.protection!.open(file, passphrase, options.signal);
      const report = await storage.importZip(zip, options).catch(async (error: unknown) => {
        // A small zip may become large: nothing was imported yet.
        if (codeOf(error) !== 'too-large') throw error;
        if (!(await this.#agreesToImport(problemInWords(error)))) return undefined;
        return await storage.importZip(zip, { ...options, maxBytes: Infinity });
      });
      return report
        ? { text: importInWords(report), lines: skippedInWords(report) }
        : {
            text: msg('Nothing was imported.', { id: 'mcp.storage.not-imported' }),
            isComplete: false,
          };
    });
  }

  async #agreesToImport(text: string): Promise<boolean> {
    this.#focusTarget = '.question .no';
    return await this.#task.ask({
      action: 'import',
      text,
      yes: msg('Import it all the same', { id: 'mcp.storage.import-yes' }),
      no: msg('Not now', { id: 'mcp.storage.not-now' }),
    });
  }

  async #clear(): Promise<void> {
    const estimate = this.#estimate;
    const amount = estimate && estimate.notes + estimate.files > 0 ? amountInWords(estimate) : '';
    const text = msg(
      'All of it will be gone from this browser, in every tab. Nobody can bring it back, unless you have an export.',
      { id: 'mcp.storage.clear-question' },
    );
    this.#focusTarget = '.question .no';
    const isAgreed = await this.#task.ask({
      action: 'clear',
      text: amount ? `${amount}. ${text}` : text,
      yes: msg('Delete everything', { id: 'mcp.storage.clear' }),
      no: msg('Keep everything', { id: 'mcp.storage.clear-no' }),
    });
    if (!isAgreed) return;
    const deleting = msg('Deleting …', { id: 'mcp.storage.clearing' });
    await this.#run({ action: 'clear', text: deleting }, async (storage) => {
      await storage.clear();
      return { text: msg('Everything is deleted.', { id: 'mcp.storage.cleared' }) };
    });
  }

  async #run(
    running: Parameters<StorageTask['run']>[0],
    act: (storage: DataStorage, options: DataTaskOptions) => ReturnType<Act>,
  ): Promise<Outcome | undefined> {
    const { storage } = this;
    return storage && (await this.#task.run(running, (options) => act(storage, options)));
  }

  #onDone({ action, text, failed = false, isComplete = true }: Outcome): void {
    this.refresh();
    this.dispatchEvent(new McpStorageDoneEvent(action, { text, failed, isComplete }));
  }

  /** Counts at first, and after each change that the client hears of. */
  #watch(): void {
    if (!this.isConnected) return;
    const { storage } = this;
    const { client } = this.connection;
    if (this.#watched?.client === client && this.#watched?.storage === storage) return;
    this.#watching.abort();
    this.#watching = new AbortController();
    this.#watched = { client, storage };
    this.refresh();
    client?.watch(STORAGE_URI, () => this.refresh(), { signal: this.#watching.signal });
  }

  get #input(): HTMLInputElement {
    return this.renderRoot.querySelector('[type=file]')!;
  }

  async #count(): Promise<void> {
    const { storage } = this;
    if (!storage) return;
    try {
      const estimate = await storage.estimate();
      if (storage !== this.storage) return;
      this.#estimate = estimate;
      this.#failure = undefined;
    } catch (error) {
      if (storage !== this.storage) return;
      this.#failure = error;
    }
    this.requestUpdate();
  }
}

/** The fields of a row. Default: none. */
type Form = TemplateResult | undefined;

const exporting = (): Parameters<StorageTask['run']>[0] => ({
  action: 'export',
  text: msg('Exporting', { id: 'mcp.storage.exporting' }),
  progress: { done: 0, total: 0 },
});

declare global {
  interface HTMLElementTagNameMap {
    'mcp-storage': McpStorage;
  }
}
