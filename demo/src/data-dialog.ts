import type { Watch } from '@inpage-mcp/client';
import type { ImportReport, StorageEstimate } from '@inpage-mcp/runtime';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { styles } from './data-dialog.styles.js';
import { type Deed, Deeds, type Given, type Outcome, type Task } from './deeds.js';
import { chooseTarget, exportName } from './export-target.js';
import { icon } from './icons.js';
import { importInWords, skippedInWords } from './import-words.js';
import type { Session } from './session.js';
import { sharedStyles } from './shared-styles.js';
import { percentOf, sizeInWords } from './sizes.js';
import { amountOf, reasonOf } from './storage-words.js';

/**
 * How much there is, and what can be done with all of it: keep, export, import, delete. What is
 * under way when the dialog is closed goes on.
 *
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
  #estimate: StorageEstimate | undefined;
  /** Why there is no estimate. */
  #failure: unknown;
  /** Whether it asks if everything is to be deleted. */
  #asking = false;
  /** What is to have the focus after the next update: nothing else does, as its place has gone. */
  #nextFocus: string | undefined;
  #watch: Watch | undefined;

  /** Shows it. */
  open(): void {
    this.#deeds.forget();
    this.#asking = false;
    this.requestUpdate();
    void this.#refresh();
    this.#watch = this.session?.client.watch('inpage:///storage', () => void this.#refresh());
    this.#dialog.showModal();
  }

  /** What became of what was done last, in a sentence. */
  get outcome(): Readonly<Outcome> | undefined {
    return this.#deeds.outcome;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#watch?.stop();
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
      <input type="file" accept=".zip,application/zip" hidden @change=${this.#onZipChosen} />
    </dialog>`;
  }

  #renderOverview(): TemplateResult {
    const persisted = this.#estimate?.persisted === true;
    return html`
      ${this.#renderAmount()}
      ${this.#renderRow({
        deed: 'keep',
        symbol: 'shield',
        title: persisted ? 'Kept' : 'Keep it',
        text: persisted
          ? 'The browser has promised not to delete it by itself.'
          : 'Ask the browser not to delete it when room is short.',
        button: persisted ? nothing : this.#renderButton('keep', 'Keep it', this.#keep),
        good: persisted,
      })}
      ${this.#renderRow({
        deed: 'export',
        symbol: 'download',
        title: 'Export',
        text: 'Everything in one zip: notes as Markdown, files as they are.',
        button: this.#renderButton('export', 'Export', this.#export),
      })}
      ${this.#renderRow({
        deed: 'import',
        symbol: 'upload',
        title: 'Import',
        text: 'Bring an export back. What you have stays; what is newer wins.',
        button: this.#renderButton('import', 'Import', this.#chooseZip),
      })}
      ${this.#renderRow({
        deed: 'delete',
        symbol: 'remove',
        title: 'Delete everything',
        text: 'All notes and files, in every tab of this browser.',
        button: this.#renderButton('delete', 'Delete …', this.#ask, 'danger'),
      })}
    `;
  }

  #renderAmount(): TemplateResult {
    if (this.#failure !== undefined) {
      return html`<div class="amount">
        <p class="failure" role="alert">${reasonOf(this.#failure)}</p>
      </div>`;
    }
    const estimate = this.#estimate;
    if (!estimate) return html`<div class="amount" aria-busy="true">Counting …</div>`;
    const { usedBytes, quotaBytes, meaning } = estimate;
    return html`<div class="amount">
      ${usedBytes === undefined || quotaBytes === undefined ? nothing : renderRoom(usedBytes, quotaBytes)}
      <p>${meaning}</p>
    </div>`;
  }

  #renderRow(row: {
    deed: Deed;
    symbol: Parameters<typeof icon>[0];
    title: string;
    text: string;
    button: TemplateResult | typeof nothing;
    good?: boolean;
  }): TemplateResult {
    const { deed, symbol, title, text, button, good } = row;
    return html`<section class="row" aria-label=${title}>
      ${good ? icon('check', 'good') : icon(symbol)}
      <div class="heading">
        <h3>${title}</h3>
        <p class="words muted">${text}</p>
      </div>
      <div class="action">${button}</div>
      ${this.#deeds.task?.deed === deed ? this.#renderTask(this.#deeds.task) : nothing}
      <div class="told" role="status">
        ${this.#deeds.outcome?.deed === deed ? renderOutcome(this.#deeds.outcome) : nothing}
      </div>
    </section>`;
  }

  #renderTask({ words, progress }: Task): TemplateResult {
    if (!progress) return html`<div class="task">${words}</div>`;
    const { done, total } = progress;
    return html`<div class="task">
      ${
        total > 0
          ? html`<progress aria-label=${words} max=${total} .value=${done}></progress>`
          : html`<progress aria-label=${words}></progress>`
      }
      <span aria-hidden="true">${percentOf(done, total)} %</span>
      <button @click=${() => this.#deeds.cancel()}>Cancel</button>
    </div>`;
  }

  /** Not `disabled` while something is under way: it would lose the focus. */
  #renderButton(deed: Deed, words: string, run: () => unknown, className = ''): TemplateResult {
    const click = (): void => {
      if (!this.#deeds.task) run.call(this);
    };
    return html`<button
      class=${className}
      data-deed=${deed}
      aria-disabled=${this.#deeds.task ? 'true' : 'false'}
      @click=${click}
    >
      ${words}
    </button>`;
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
    await this.#run({ deed: 'delete', words: 'Deleting …' }, async ({ storage }) => {
      await storage.clear();
      this.dispatchEvent(new Event('cleared'));
      return { words: 'Everything is deleted.' };
    });
    this.#stopAsking('delete');
  }

  async #run(task: Task, act: (given: Given) => Promise<Omit<Outcome, 'deed'>>): Promise<void> {
    const storage = this.session?.runtime.storage;
    if (!storage) return;
    await this.#deeds.run(storage, task, act);
    void this.#refresh();
    if (!this.#dialog.open) this.dispatchEvent(new Event('outcome'));
  }

  async #refresh(): Promise<void> {
    try {
      this.#estimate = await this.session?.runtime.storage.estimate();
      this.#failure = undefined;
    } catch (error) {
      this.#failure = error;
    }
    this.requestUpdate();
  }

  #onClose(): void {
    this.#watch?.stop();
    this.#watch = undefined;
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
    const { notes, files } = this.#estimate ?? { notes: 0, files: 0 };
    return notes + files > 0 ? amountOf({ notes, files }) : 'All notes and files';
  }

  get #dialog(): HTMLDialogElement {
    return this.renderRoot.querySelector('dialog')!;
  }
}

/** How much room is taken. */
function renderRoom(usedBytes: number, quotaBytes: number): TemplateResult {
  return html`<meter
    aria-label="Room taken"
    aria-valuetext=${`${sizeInWords(usedBytes)} of ${sizeInWords(quotaBytes)}`}
    max=${quotaBytes}
    .value=${usedBytes}
  ></meter>`;
}

const NONE = { done: 0, total: 0 };

function outcomeOf(report: ImportReport): Omit<Outcome, 'deed'> {
  return { words: importInWords(report), lines: skippedInWords(report) };
}

function renderOutcome({ words, failed, lines = [] }: Outcome): TemplateResult {
  return html`<div class=${failed ? 'failed' : ''} role=${failed ? 'alert' : nothing}>
    ${words}
    ${
      lines.length > 0
        ? html`<ul>
            ${lines.map((line) => html`<li>${line}</li>`)}
          </ul>`
        : nothing
    }
  </div>`;
}

customElements.define('data-dialog', DataDialog);

declare global {
  interface HTMLElementTagNameMap {
    'data-dialog': DataDialog;
  }
}
