import type { ImportReport } from '@inpage-mcp/runtime';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { styles } from './data-dialog.styles.js';
import { renderDeedButton, renderDeedRow, type DeedRow } from './deed-row.js';
import { type Deed, Deeds, type Given, type Outcome, type Task } from './deeds.js';
import { chooseTarget, exportName } from './export-target.js';
import { icon } from './icons.js';
import { importInWords, skippedInWords } from './import-words.js';
import { restoreSamples } from './seed-notes.js';
import type { Session } from './session.js';
import { sharedStyles } from './shared-styles.js';
import { StorageAmount } from './storage-amount.js';
import { amountOf } from './storage-words.js';

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
export class DataDialog extends LitElement {
  static override readonly styles = [sharedStyles, styles];

  static override readonly properties = {
    session: { attribute: false },
  };

  declare session: Session | undefined;

  readonly #deeds = new Deeds(() => this.requestUpdate());
  readonly #amount = new StorageAmount(() => this.requestUpdate());
  /** Whether it asks if everything is to be deleted. */
  #asking = false;
  /** What is to have the focus after the next update: nothing else does, as its place has gone. */
  #nextFocus: string | undefined;

  /** Shows it. */
  open(): void {
    this.#deeds.forget();
    this.#asking = false;
    this.requestUpdate();
    this.#amount.follow(this.session);
    this.#dialog.showModal();
    this.dispatchEvent(new Event('opened'));
  }

  /** What became of what was done last, in a sentence. */
  get outcome(): Readonly<Outcome> | undefined {
    return this.#deeds.outcome;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#amount.stop();
  }

  protected override willUpdate(): void {
    const { task, outcome } = this.#deeds;
    const cancel = this.renderRoot.querySelector('.task button');
    // It goes now: the focus returns to where it came from.
    if (!task && outcome && cancel?.matches(':focus')) {
      this.#nextFocus = `[data-deed=${outcome.deed}]`;
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
      <input type="file" accept=".zip,application/zip" hidden @change=${this.#onZipChosen} />
    </dialog>`;
  }

  #renderOverview(): TemplateResult {
    const persisted = this.#amount.estimate?.persisted === true;
    const rows: readonly DeedRow[] = [
      {
        deed: 'keep',
        symbol: 'shield',
        title: persisted ? 'Kept' : 'Keep it',
        text: persisted
          ? 'The browser has promised not to delete it by itself.'
          : 'Ask the browser not to delete it when room is short.',
        ...(!persisted && { button: this.#renderButton('keep', 'Keep it', this.#keep) }),
      },
      {
        deed: 'export',
        symbol: 'download',
        title: 'Export',
        text: 'Everything in one zip: notes as Markdown, files as they are.',
        button: this.#renderButton('export', 'Export', this.#export),
      },
      {
        deed: 'import',
        symbol: 'upload',
        title: 'Import',
        text: 'Bring an export back. What you have stays; what is newer wins.',
        button: this.#renderButton('import', 'Import', this.#chooseZip),
      },
      {
        deed: 'samples',
        symbol: 'edit',
        title: 'Sample notes',
        text: 'The notes of the first visit, those that are not there any more.',
        button: this.#renderButton('samples', 'Restore', this.#restoreSamples),
      },
      {
        deed: 'delete',
        symbol: 'remove',
        title: 'Delete everything',
        text: 'All notes and files, in every tab of this browser.',
        button: this.#renderButton('delete', 'Delete …', this.#ask, 'danger'),
      },
    ];
    return html`${this.#amount.render()} ${rows.map((row) => renderDeedRow(this.#deeds, row))}`;
  }

  #renderButton(deed: Deed, words: string, run: () => unknown, className = ''): TemplateResult {
    return renderDeedButton(this.#deeds, { deed, words, run: () => run.call(this), className });
  }

  #renderQuestion(): TemplateResult {
    return html`<section class="doom" aria-labelledby="question">
      <h3 id="question">Delete everything?</h3>
      <p>
        ${this.#doomed} will be gone from this browser, in every tab. Nobody can bring them back,
        unless you have an export.
      </p>
      ${this.#deeds.task ? html`<p role="status">${this.#deeds.task.words}</p>` : nothing}
      <div class="answers">
        ${this.#renderButton('delete', 'Keep everything', () => this.#stopAsking('delete'))}
        ${this.#renderButton('export', 'Export first', this.#exportFirst)}
        ${this.#renderButton('delete', 'Delete everything', this.#clear, 'deadly')}
      </div>
    </section>`;
  }

  #keep(): void {
    void this.#run({ deed: 'keep', words: 'Asking the browser …' }, async ({ storage }) => {
      const { persisted, meaning } = await storage.persist();
      return { words: persisted ? meaning : `Not yet. ${meaning} You can ask again later.` };
    });
  }

  async #export(): Promise<void> {
    const name = exportName();
    const target = await chooseTarget(name);
    if (!target) return;
    await this.#run({ deed: 'export', words: 'Exporting', progress: NONE }, async (given) => {
      const { storage, onProgress, signal } = given;
      await target.save(await storage.exportZip({ onProgress, signal }));
      return { words: target.isDownload ? `It is in your downloads: ${name}` : 'It is saved.' };
    });
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
    if (zip) this.#import(zip);
  }

  #import(zip: File): void {
    void this.#run({ deed: 'import', words: 'Importing', progress: NONE }, async (given) => {
      const { storage, onProgress, signal } = given;
      return outcomeOf(await storage.importZip(zip, { onProgress, signal }));
    });
  }

  #restoreSamples(): void {
    void this.#run({ deed: 'samples', words: 'Writing …' }, async ({ runtime }) => {
      const count = await restoreSamples(runtime);
      return { words: count === 0 ? 'They are all there.' : `Restored ${count}.` };
    });
  }

  #ask(): void {
    this.#deeds.forget();
    this.#asking = true;
    this.#focusNext('.answers button');
  }

  #stopAsking(focused: Deed): void {
    this.#asking = false;
    this.#focusNext(`[data-deed=${focused}]`);
  }

  async #clear(): Promise<void> {
    await this.#run({ deed: 'delete', words: 'Deleting …' }, async () => {
      await this.session!.clearings.clear();
      this.dispatchEvent(new Event('cleared'));
      return { words: 'Everything is deleted.' };
    });
    this.#stopAsking('delete');
  }

  async #run(task: Task, act: (given: Given) => Promise<Omit<Outcome, 'deed'>>): Promise<void> {
    const runtime = this.session?.runtime;
    if (!runtime) return;
    await this.#deeds.run(runtime, task, act);
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

  get #doomed(): string {
    const { notes, files } = this.#amount.estimate ?? { notes: 0, files: 0 };
    return notes + files > 0 ? amountOf({ notes, files }) : 'All notes and files';
  }

  get #dialog(): HTMLDialogElement {
    return this.renderRoot.querySelector('dialog')!;
  }
}

const NONE = { done: 0, total: 0 };

function outcomeOf(report: ImportReport): Omit<Outcome, 'deed'> {
  return { words: importInWords(report), lines: skippedInWords(report) };
}

customElements.define('data-dialog', DataDialog);

declare global {
  interface HTMLElementTagNameMap {
    'data-dialog': DataDialog;
  }
}
