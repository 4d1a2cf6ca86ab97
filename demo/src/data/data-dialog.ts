import { forgetDrafts } from '@inpage-mcp/elements/classes';
import { forgetShares } from '../offline/shares.js';
import { DRAFTS } from '../session/drafts.js';
import { html, type TemplateResult } from 'lit';
import {
  exportTo,
  importFrom,
  type ImportSource,
  keepData,
  restoreSampleNotes,
} from './data-actions.js';
import { styles } from './data-dialog.styles.js';
import {
  dataRows,
  renderActionButton,
  renderActionRow,
  renderDeleteQuestion,
} from './action-row.js';
import {
  type DataAction,
  ActionRunner,
  type ActionContext,
  type Outcome,
  type Task,
} from './action-runner.js';
import { isEncrypted } from './encryption/age.js';
import './encryption/passphrases.js';
import './encryption/passphrases.js';
import type { ImportPassphrase } from './encryption/passphrases.js';
import { chooseTarget, exportName } from './export-target.js';
import { icon } from '../shell/icons.js';
import { SeenElement } from '../shell/seen-element.js';
import type { Session } from '../session/session.js';
import { dialogStyles } from '../shell/dialog.styles.js';
import { sharedStyles } from '../shell/shared-styles.js';
import { StorageAmount } from './storage-amount.js';

/**
 * How much there is, and what can be done with all of it: keep, export, import, delete. What is
 * under way when the dialog is closed goes on.
 *
 * @slot - What else the user should see while it is open: all outside of it is inert then.
 * @fires opened
 * @fires closed
 * @fires outcome - Something ended while the dialog was closed; see `outcome`.
 * @fires cleared - Everything was deleted.
 */
export class DataDialog extends SeenElement {
  static override readonly styles = [sharedStyles, dialogStyles, styles];

  static override readonly properties = {
    session: { attribute: false },
  };

  declare session: Session | undefined;

  readonly #runner = new ActionRunner(() => this.requestUpdate());
  readonly #amount = new StorageAmount(() => this.requestUpdate());
  /** Whether it asks if everything is to be deleted. */
  #asking = false;
  /** What was chosen for an import and waits for its passphrase. */
  #locked: File | undefined;
  /** What is to have the focus after the next update: nothing else does, as its place has gone. */
  #nextFocus: string | undefined;

  /** Shows it. */
  open(): void {
    this.#runner.forget();
    this.#asking = false;
    this.#locked = undefined;
    this.renderRoot.querySelector('export-passphrase')?.forget();
    this.requestUpdate();
    this.#amount.follow(this.session);
    this.#dialog.showModal();
    this.dispatchEvent(new Event('opened'));
  }

  /** What became of what was done last, in a sentence. */
  get outcome(): Readonly<Outcome> | undefined {
    return this.#runner.outcome;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#amount.stop();
  }

  protected override willUpdate(): void {
    const { task, outcome } = this.#runner;
    const cancel = this.renderRoot.querySelector('.task button');
    // It goes now: the focus returns to where it came from.
    if (!task && outcome && cancel?.matches(':focus')) {
      this.#nextFocus = `[data-action=${outcome.action}]`;
    }
  }

  protected override updated(): void {
    if (this.#nextFocus === undefined) return;
    this.renderRoot.querySelector<HTMLElement>(this.#nextFocus)?.focus();
    this.#nextFocus = undefined;
  }

  protected override render(): TemplateResult {
    return html`<dialog aria-labelledby="title" @close=${this.#onClose} @cancel=${this.#onCancel}>
      <div class="head">
        ${icon('database')}
        <h2 id="title">Your data</h2>
        <button
          class="plain square"
          title="Close"
          aria-label="Close"
          @click=${() => this.#dialog.close()}
        >
          ${icon('close')}
        </button>
      </div>
      <div class="body">${this.#asking ? this.#renderQuestion() : this.#renderOverview()}</div>
      <slot></slot>
      <input type="file" accept=".zip,.age,application/zip" hidden @change=${this.#onZipChosen} />
    </dialog>`;
  }

  #renderOverview(): TemplateResult {
    const rows = dataRows({
      persisted: this.#amount.estimate?.persisted === true,
      buttons: {
        keep: this.#renderButton('keep', 'Keep it', this.#keep),
        export: this.#renderButton('export', 'Export', this.#export),
        import: this.#renderButton('import', 'Import', this.#chooseZip),
        samples: this.#renderButton('samples', 'Restore', this.#restoreSamples),
        delete: this.#renderButton('delete', 'Delete …', this.#ask, 'danger'),
      },
      exportForm: html`<export-passphrase></export-passphrase>`,
      importForm: this.#renderImportForm(),
    });
    return html`${this.#amount.render()} ${rows.map((row) => renderActionRow(this.#runner, row))}`;
  }

  #renderImportForm(): TemplateResult | undefined {
    const file = this.#runner.outcome?.large;
    if (file) {
      return html`<p class="words">Import it all the same?</p>
        <div class="answers">
          ${this.#renderButton('import', 'Not now', this.#forgetLarge)}
          ${this.#renderButton('import', 'Import it', () => this.#importLarge(file), 'primary')}
        </div>`;
    }
    if (!this.#locked) return undefined;
    return html`<import-passphrase
      .name=${this.#locked.name}
      @unlock=${this.#unlock}
      @give-up=${() => this.#lock(undefined)}
    ></import-passphrase>`;
  }

  #renderButton(
    action: DataAction,
    words: string,
    run: () => unknown,
    className = '',
  ): TemplateResult {
    return renderActionButton(this.#runner, {
      action,
      words,
      run: () => run.call(this),
      className,
    });
  }

  #renderQuestion(): TemplateResult {
    return renderDeleteQuestion(this.#amount.estimate, this.#runner.task, [
      this.#renderButton('delete', 'Keep everything', () => this.#stopAsking('delete')),
      this.#renderButton('export', 'Export first', this.#exportFirst),
      this.#renderButton('delete', 'Delete everything', this.#clear, 'deadly'),
    ]);
  }

  #keep(): void {
    void this.#run({ action: 'keep', words: 'Asking the browser …' }, keepData);
  }

  async #export(): Promise<void> {
    // There are no fields below the question whether everything is to be deleted.
    const fields = this.renderRoot.querySelector('export-passphrase');
    const passphrase = fields ? fields.take() : '';
    if (passphrase === undefined) return;
    const target = await chooseTarget(exportName(passphrase !== ''));
    if (!target) return;
    const task = { action: 'export', words: 'Exporting', progress: NONE } as const;
    await this.#run(task, (given) => exportTo(target, passphrase, given));
  }

  #exportFirst(): void {
    this.#stopAsking('export');
    void this.#export();
  }

  #chooseZip(): void {
    this.renderRoot.querySelector('input')!.click();
  }

  #onZipChosen(event: Event): void {
    const input = event.target as HTMLInputElement;
    const [zip] = input.files ?? [];
    // The same file can be chosen again.
    input.value = '';
    if (zip) void this.#import(zip);
  }

  async #import(zip: File): Promise<void> {
    const isLocked = await isEncrypted(zip).catch(() => false);
    this.#runner.forget();
    this.#lock(isLocked ? zip : undefined);
    if (!isLocked) await this.#importZip({ file: zip });
  }

  async #unlock(event: Event): Promise<void> {
    const { passphrase } = event.target as ImportPassphrase;
    const file = this.#locked!;
    if (this.#runner.task) return;
    await this.#importZip({ file, passphrase });
    // It may be typed again.
    const { failed, large } = this.#runner.outcome ?? {};
    if (large) this.#locked = undefined;
    else if (failed) this.renderRoot.querySelector('import-passphrase')?.focus();
    else this.#lock(undefined);
  }

  #lock(file: File | undefined): void {
    this.#locked = file;
    if (!file) this.#focusNext('[data-action=import]');
    this.requestUpdate();
  }

  async #importZip(source: ImportSource): Promise<void> {
    const task = { action: 'import', words: 'Importing', progress: NONE } as const;
    await this.#run(task, (given) => importFrom(source, given));
    if (this.#runner.outcome?.large) this.#focusNext('.form .answers button');
  }

  #importLarge(file: Blob): void {
    void this.#importZip({ file, mayBeLarge: true });
    // The button has gone, and the task can be cancelled in its place.
    this.#focusNext('.task button');
  }

  #forgetLarge(): void {
    this.#runner.forget();
    this.#focusNext('[data-action=import]');
  }

  #restoreSamples(): void {
    void this.#run({ action: 'samples', words: 'Writing …' }, restoreSampleNotes);
  }

  #ask(): void {
    this.#runner.forget();
    this.#asking = true;
    this.#focusNext('.answers button');
  }

  #stopAsking(focused: DataAction): void {
    this.#asking = false;
    this.#focusNext(`[data-action=${focused}]`);
  }

  async #clear(): Promise<void> {
    await this.#run({ action: 'delete', words: 'Deleting …' }, async () => {
      await this.session!.runtime.storage.clear();
      forgetDrafts(DRAFTS);
      await forgetShares();
      this.dispatchEvent(new Event('cleared'));
      return { words: 'Everything is deleted.' };
    });
    this.#stopAsking('delete');
  }

  async #run(
    task: Task,
    act: (context: ActionContext) => Promise<Omit<Outcome, 'action'>>,
  ): Promise<void> {
    const runtime = this.session?.runtime;
    if (!runtime) return;
    await this.#runner.run(runtime, task, act);
    void this.#amount.count();
    if (!this.#dialog.open) this.dispatchEvent(new Event('outcome'));
  }

  /** The event comes later than the closing: the dialog may be open again. */
  #onClose(): void {
    if (this.#dialog.open) return;
    this.#amount.stop();
    this.dispatchEvent(new Event('closed'));
  }

  /** Escape answers the question with no, and then closes. */
  #onCancel(event: Event): void {
    if (event.target !== this.#dialog || !this.#asking) return;
    event.preventDefault();
    this.#stopAsking('delete');
  }

  #focusNext(selector: string): void {
    this.#nextFocus = selector;
    this.requestUpdate();
  }

  get #dialog(): HTMLDialogElement {
    return this.renderRoot.querySelector('dialog')!;
  }
}

const NONE = { done: 0, total: 0 };

customElements.define('data-dialog', DataDialog);

declare global {
  interface HTMLElementTagNameMap {
    'data-dialog': DataDialog;
  }
}
