import { msg } from '@lit/localize';
import { html, type PropertyValues, type TemplateResult } from 'lit';
import { keepFocus } from '../../base/element/focus-keeper.js';
import { focusedPart } from '../../base/element/focused-part.js';
import { McpElement } from '../../base/element/mcp-element.js';
import { theme } from '../../base/look/theme.js';
import { labelStyles } from '../../fields/form/fields.styles.js';
import type { DataStorage, ExportProtection } from './data-storage.js';
import { McpStorageDoneEvent, McpStorageQuestionEvent } from './events.js';
import { Exports } from './exports.js';
import { Imports } from './imports.js';
import { styles } from './mcp-storage.styles.js';
import { renderAmount, renderRow } from './render-row.js';
import { clearRow, exportRow, importRow, persistRow, type RowText } from './rows.js';
import { StorageAmount } from './storage-amount.js';
import { StorageTask, type Outcome } from './storage-task.js';
import { amountInWords } from './words.js';

/**
 * All of the user's data: how much there is, and how it is protected from the browser's clean-up, exported,
 * imported and deleted.
 *
 * Works with `storage`, such as `runtime.storage`. With a client, from `<mcp-provider>` or its own, it counts
 * again whenever something has changed. An action that runs goes on while the element is out of sight. While
 * it exports or imports, the browser asks before the page is left. Another `storage` cancels what runs.
 *
 * @element mcp-storage
 * @slot - Rows of the page, before the one that deletes.
 * @fires mcp-storage-done - An action has ended.
 * @fires mcp-storage-question - A question waits for the user.
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

  /** The data. Default: none, which the element reports. */
  declare storage: DataStorage | undefined;
  /** Encrypts exports that the user gives a passphrase. Default: none, and no passphrase is offered. */
  declare protection: ExportProtection | undefined;
  /** The beginning of the name of an export, before the date. Default: `notes`. */
  declare exportName: string;

  readonly #amount = new StorageAmount(this);
  readonly #task = new StorageTask(this, {
    ondone: (outcome) => this.#onDone(outcome),
    onquestion: ({ action }) => this.dispatchEvent(new McpStorageQuestionEvent(action)),
  });
  readonly #exports = new Exports(this, this.#task, (selector) => this.#moveFocus(selector));
  readonly #imports = new Imports(this, this.#task, (selector) => this.#moveFocus(selector));
  /** The element that gets the focus as soon as it exists, unless the user is in another place; '' for none. */
  #focusTarget = '';

  constructor() {
    super();
    this.exportName = 'notes';
    keepFocus(this, (focused) => {
      const row = focused.closest('.row');
      // The action that protects the data has no button after it has succeeded.
      return () => row?.querySelector<HTMLElement>('[data-action]') ?? row?.querySelector('h3');
    });
  }

  /** Counts again, for example after a change that no client reports. */
  refresh(): void {
    this.#amount.refresh();
  }

  /**
   * Forgets the result of the last action, the typed texts, and a question before an action. A running action
   * continues, with its question.
   */
  reset(): void {
    this.#forgetSecrets();
    this.#task.forget();
    if (!this.#task.running) this.#task.answer(false);
  }

  /**
   * Exports all data into a file that the user chooses, piece by piece, because the browser may have no space
   * for it; if the browser has no file picker, into the downloads. If the user has chosen a passphrase, the
   * file is first made in the browser. Call it in a handler of a click. Resolves when the export is complete,
   * has failed, or the user has chosen no file, and never rejects.
   */
  async exportToFile(): Promise<void> {
    await this.#exports.saveToFile(this.storage, this.#nameOfExport);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#task.answer(false);
    this.#forgetSecrets();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('storage')) this.#task.drop();
    if (changed.has('storage') || changed.has('protection')) this.#forgetSecrets();
    if (this.isConnected) this.#amount.watch(this.storage, this.connection.client);
    this.setState('running', this.#task.running !== undefined);
  }

  protected override updated(): void {
    const target =
      this.#focusTarget && this.renderRoot.querySelector<HTMLElement>(this.#focusTarget);
    if (!target) return;
    this.#focusTarget = '';
    const focused = focusedPart(this);
    const isThere = focused && focused.closest('.row') === target.closest('.row');
    // The user's typing in another row is not interrupted.
    if (focused !== null && !isThere && focused?.localName !== 'button') return;
    target.focus();
    if (target instanceof HTMLInputElement) target.select();
  }

  protected override render(): TemplateResult {
    const { storage } = this;
    if (!storage)
      return html`<div class="message">
        ${msg('There is no storage here.', { id: 'mcp.storage.none' })}
      </div>`;
    const { estimate, failure } = this.#amount;
    const row = (text: RowText, run: () => unknown, form?: TemplateResult): TemplateResult =>
      renderRow(text, { run, form }, this.#task);
    const save = (): unknown => this.#exports.save(this.storage, this.#nameOfExport);
    const fileTypes = ['.zip', 'application/zip', this.protection?.extension];
    return html`${renderAmount(estimate, failure)}
      ${row(persistRow(estimate?.persisted === true), () => this.#persist(storage))}
      ${row(exportRow(), save, this.#exports.renderForm(this.protection, save))}
      ${row(importRow(), () => this.#chooseFile(), this.#imports.renderForm(storage))}
      <slot></slot>
      ${row(clearRow(), () => this.#clear(storage))}
      <input
        type="file"
        accept=${fileTypes.filter(Boolean).join()}
        hidden
        @change=${this.#onFileChosen}
      />`;
  }

  async #persist(storage: DataStorage): Promise<void> {
    const text = msg('Asking the browser …', { id: 'mcp.storage.asking' });
    await this.#task.run({ action: 'persist', text }, async () => {
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

  #chooseFile(): void {
    this.renderRoot.querySelector<HTMLElement>('[type=file]')!.click();
  }

  #onFileChosen({ currentTarget }: Event): void {
    const input = currentTarget as HTMLInputElement;
    const [file] = input.files ?? [];
    // This allows the user to choose the same file again.
    input.value = '';
    if (file && this.storage) void this.#imports.add(this.storage, this.protection, file);
  }

  async #clear(storage: DataStorage): Promise<void> {
    this.#moveFocus('.question .no');
    const isAgreed = await this.#task.ask({
      action: 'clear',
      text: () => this.#clearQuestion(),
      yes: () => msg('Delete everything', { id: 'mcp.storage.clear' }),
      no: () => msg('Keep everything', { id: 'mcp.storage.clear-no' }),
    });
    if (!isAgreed || storage !== this.storage) return;
    const text = msg('Deleting …', { id: 'mcp.storage.clearing' });
    await this.#task.run({ action: 'clear', text }, async () => {
      await storage.clear();
      return { text: msg('Everything is deleted.', { id: 'mcp.storage.cleared' }) };
    });
  }

  #clearQuestion(): string {
    const { estimate, failure } = this.#amount;
    const isKnown = estimate && failure === undefined && estimate.notes + estimate.files > 0;
    const text = msg(
      'All of it will be gone from this browser, in every tab. Nobody can bring it back, unless you have an export.',
      { id: 'mcp.storage.clear-question' },
    );
    return isKnown ? `${amountInWords(estimate)}. ${text}` : text;
  }

  #onDone({ action, text, failed = false, isComplete = true }: Outcome): void {
    this.refresh();
    this.dispatchEvent(new McpStorageDoneEvent(action, { text, failed, isComplete }));
  }

  #forgetSecrets(): void {
    this.#exports.forget();
    this.#imports.forget();
  }

  #moveFocus(selector: string): void {
    this.#focusTarget = selector;
    this.requestUpdate();
  }

  get #nameOfExport(): string {
    return this.exportName || 'notes';
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'mcp-storage': McpStorage;
  }
}
