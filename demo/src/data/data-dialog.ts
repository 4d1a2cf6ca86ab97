import type { Watch } from '@inpage-mcp/client';
import { forgetDrafts } from '@inpage-mcp/elements/classes';
import { RuntimeError, type StorageEstimate } from '@inpage-mcp/runtime';
import { html, nothing, type TemplateResult } from 'lit';
import { forgetShares } from '../offline/shares.js';
import { DRAFTS } from '../session/drafts.js';
import type { Session } from '../session/session.js';
import { dialogStyles } from '../shell/dialog.styles.js';
import { icon } from '../shell/icons.js';
import { SeenElement } from '../shell/seen-element.js';
import { sharedStyles } from '../shell/shared-styles.js';
import {
  ActionRunner,
  type Act,
  type DataAction,
  type Outcome,
  type Task,
} from './action-runner.js';
import { decrypt, encrypt, isEncrypted } from './age.js';
import { styles } from './data-dialog.styles.js';
import { renderAmount, renderRow, type ActionRow } from './data-rows.js';
import { chooseTarget, exportName } from './export-target.js';
import './passphrases.js';
import type { ImportPassphrase } from './passphrases.js';
import { restoreSamples } from './sample-notes.js';
import { amountOf, importInWords, skippedInWords } from './storage-words.js';

/** What is brought in. */
interface ImportSource {
  file: Blob;
  /** Absent for a file that is not encrypted. */
  passphrase?: string;
  /** Whether the user has said that it may take much room. */
  mayBeLarge?: boolean;
}

const NONE = { done: 0, total: 0 };

/**
 * How much there is, and what can be done with all of it: protect, export, import, delete. What is
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
  #estimate: StorageEstimate | undefined;
  /** Why there is no estimate. */
  #failure: unknown;
  #watch: Watch | undefined;
  /** Whether it asks if everything is to be deleted. */
  #asking = false;
  /** What was chosen for an import and waits for its passphrase. */
  #locked: File | undefined;
  /** What is to have the focus after the next update: nothing else does, as its place has gone. */
  #nextFocus: string | undefined;

  /** Shows it, and counts now, and whenever any tab has written something. */
  open(): void {
    this.#runner.forget();
    this.#asking = false;
    this.#locked = undefined;
    this.renderRoot.querySelector('export-passphrase')?.forget();
    this.#watch?.stop();
    this.#watch = this.session?.client.watch('inpage:///storage', () => void this.#count());
    void this.#count();
    this.#dialog.showModal();
    this.dispatchEvent(new Event('opened'));
  }

  /** What became of what was done last, in a sentence. */
  get outcome(): Readonly<Outcome> | undefined {
    return this.#runner.outcome;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#watch?.stop();
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
    const isProtected = this.#estimate?.persisted === true;
    const row = (action: DataAction, title: string, shown: ActionRow): TemplateResult =>
      renderRow(this.#runner, action, title, shown);
    return html`${renderAmount(this.#estimate, this.#failure)}
    ${row('keep', isProtected ? 'Protected' : 'Protect from clean-up', {
      symbol: 'shield',
      text: isProtected
        ? 'The browser has promised not to delete it by itself.'
        : 'Ask the browser not to delete it when room is short.',
      ...(!isProtected && { button: this.#renderButton('keep', 'Protect', this.#keep) }),
    })}
    ${row('export', 'Export', {
      symbol: 'download',
      text: 'Everything in one zip: notes as Markdown, files as they are.',
      button: this.#renderButton('export', 'Export', this.#export),
      form: html`<export-passphrase></export-passphrase>`,
    })}
    ${row('import', 'Import', {
      symbol: 'upload',
      text: 'Bring an export back. What you have stays; what is newer wins.',
      button: this.#renderButton('import', 'Import', this.#chooseZip),
      form: this.#renderImportForm(),
    })}
    ${row('samples', 'Sample notes', {
      symbol: 'edit',
      text: 'Bring back sample notes that you deleted.',
      button: this.#renderButton('samples', 'Restore', this.#restoreSamples),
    })}
    ${row('delete', 'Delete everything', {
      symbol: 'remove',
      text: 'All notes and files, in every tab of this browser.',
      button: this.#renderButton('delete', 'Delete …', this.#ask, 'danger'),
    })}`;
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

  /** Not `disabled` while an action runs: the button would lose the focus. */
  #renderButton(
    action: DataAction,
    words: string,
    run: () => unknown,
    className = '',
  ): TemplateResult {
    const { task } = this.#runner;
    const click = (): unknown => (this.#runner.task ? undefined : run.call(this));
    return html`<button
      class=${className}
      data-action=${action}
      aria-disabled=${task ? 'true' : 'false'}
      @click=${click}
    >
      ${words}
    </button>`;
  }

  /** Asks whether everything is to be deleted. */
  #renderQuestion(): TemplateResult {
    const { task } = this.#runner;
    const { notes, files } = this.#estimate ?? { notes: 0, files: 0 };
    return html`<section class="doom" aria-labelledby="question">
      <h3 id="question">Delete everything?</h3>
      <p>
        ${notes + files > 0 ? amountOf({ notes, files }) : 'All notes and files'} will be gone from
        this browser, in every tab. Nobody can bring them back, unless you have an export.
      </p>
      ${task ? html`<p role="status">${task.words}</p>` : nothing}
      <div class="answers">
        ${this.#renderButton('delete', 'Keep everything', () => this.#stopAsking('delete'))}
        ${this.#renderButton('export', 'Export first', this.#exportFirst)}
        ${this.#renderButton('delete', 'Delete everything', this.#clear, 'deadly')}
      </div>
    </section>`;
  }

  #keep(): void {
    void this.#run({ action: 'keep', words: 'Asking the browser …' }, async ({ storage }) => {
      const { persisted, meaning } = await storage.persist();
      return { words: persisted ? meaning : `Not yet. ${meaning} You can ask again later.` };
    });
  }

  async #export(): Promise<void> {
    // There are no fields below the question whether everything is to be deleted.
    const fields = this.renderRoot.querySelector('export-passphrase');
    const passphrase = fields ? fields.take() : '';
    if (passphrase === undefined) return;
    const target = await chooseTarget(exportName(passphrase !== ''));
    if (!target) return;
    const task = { action: 'export', words: 'Exporting', progress: NONE } as const;
    await this.#run(task, async ({ storage, onProgress, signal }) => {
      const zip = await storage.exportZip({ onProgress, signal });
      const locked = async (): Promise<Blob> =>
        await encrypt(await new Response(zip).blob(), passphrase, signal);
      await target.save(passphrase === '' ? zip : (await locked()).stream());
      const { isDownload, name } = target;
      return { words: isDownload ? `It is in your downloads: ${name}` : 'It is saved.' };
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

  /** The outcome is `large` if nothing was brought in, and the user has to be asked about the size. */
  async #importZip({ file, passphrase, mayBeLarge }: ImportSource): Promise<void> {
    const task = { action: 'import', words: 'Importing', progress: NONE } as const;
    await this.#run(task, async ({ storage, onProgress, signal }) => {
      const zip = passphrase === undefined ? file : await decrypt(file, passphrase, signal);
      const maxBytes = mayBeLarge ? Infinity : undefined;
      try {
        const report = await storage.importZip(zip, { onProgress, signal, maxBytes });
        return { words: importInWords(report), lines: skippedInWords(report) };
      } catch (error) {
        if (!(error instanceof RuntimeError) || error.code !== 'too-large') throw error;
        return { words: error.message, large: zip };
      }
    });
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
    void this.#run({ action: 'samples', words: 'Writing …' }, async ({ runtime }) => {
      const count = await restoreSamples(runtime);
      return { words: count === 0 ? 'They are all there.' : `Restored ${count}.` };
    });
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
    await this.#run({ action: 'delete', words: 'Deleting …' }, async ({ storage }) => {
      await storage.clear();
      forgetDrafts(DRAFTS);
      await forgetShares();
      this.dispatchEvent(new Event('cleared'));
      return { words: 'Everything is deleted.' };
    });
    this.#stopAsking('delete');
  }

  async #run(task: Task, act: Act): Promise<void> {
    const runtime = this.session?.runtime;
    if (!runtime) return;
    await this.#runner.run(runtime, task, act);
    void this.#count();
    if (!this.#dialog.open) this.dispatchEvent(new Event('outcome'));
  }

  async #count(): Promise<void> {
    try {
      this.#estimate = await this.session?.runtime.storage.estimate();
      this.#failure = undefined;
    } catch (error) {
      this.#failure = error;
    }
    this.requestUpdate();
  }

  /** The event comes later than the closing: the dialog may be open again. */
  #onClose(): void {
    if (this.#dialog.open) return;
    this.#watch?.stop();
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

customElements.define('data-dialog', DataDialog);

declare global {
  interface HTMLElementTagNameMap {
    'data-dialog': DataDialog;
  }
}
