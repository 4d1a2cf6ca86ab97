import type { Watch } from '@inpage-mcp/client';
import { forgetDrafts, truncateText } from '@inpage-mcp/elements/classes';
import { RuntimeError, type RuntimeStorage, type StorageEstimate } from '@inpage-mcp/runtime';
import { html, nothing, type TemplateResult } from 'lit';
import { agrees } from '../letting-in/ask-consent.js';
import { forgetShares } from '../offline/shares.js';
import { DRAFTS, type Session } from '../session/session.js';
import { dialogStyles } from '../shell/dialog.styles.js';
import { icon } from '../shell/icons.js';
import type { NoticeStack } from '../shell/notice-stack.js';
import { SeenElement } from '../shell/seen-element.js';
import { sharedStyles } from '../shell/shared-styles.js';
import {
  renderAmount,
  renderRow,
  type Action,
  type ActionRow,
  type Outcome,
  type Task,
} from './action-row.js';
import { decrypt, encrypt, isEncrypted } from './age.js';
import { styles } from './data-dialog.styles.js';
import { chooseFile, downloadBlob, exportName } from './downloads.js';
import { amountOf, importInWords, reasonOf, skippedInWords } from './storage-words.js';
import './sync-card.js';

/** An action: what it does with all of the data, and what it says then. */
type Act = (
  storage: RuntimeStorage,
  options: { onProgress: (done: number, total: number) => void; signal: AbortSignal },
) => Promise<Omit<Outcome, 'action'>>;

const CANCELLED: { [action in Action]?: string } = {
  export: 'Cancelled: nothing was saved.',
  import: 'Cancelled. What was brought in so far stays; you can import the same zip again.',
};

/** In characters: fewer are tried out in hours. */
const MIN_PASSPHRASE_LENGTH = 12;

/**
 * How much there is, and what can be done with all of it: protect, export, import, delete. What is
 * under way when the dialog is closed goes on.
 *
 * @slot - The notices, while it is open: all outside of it is inert then.
 * @fires cleared - Everything was deleted.
 */
export class DataDialog extends SeenElement {
  static override readonly styles = [sharedStyles, dialogStyles, styles];

  static override readonly properties = {
    session: { attribute: false },
    notices: { attribute: false },
  };

  declare session: Session | undefined;
  declare notices: () => NoticeStack;

  #task: Task | undefined;
  #outcome: Outcome | undefined;
  #cancellation = new AbortController();
  #estimate: StorageEstimate | undefined;
  /** Why there is no estimate. */
  #failure: unknown;
  #watch: Watch | undefined;
  /** Whether the export is to have a passphrase. */
  #isLocking = false;
  /** The file that was chosen for an import and waits for its passphrase. */
  #locked: File | undefined;
  /** Where the notices are while it is closed. */
  #placeOfNotices: Element | undefined;

  /** Shows it, and counts now, and whenever any tab has written something. */
  open(): void {
    if (this.#dialog.open) return;
    this.#outcome = this.#locked = undefined;
    this.#isLocking = false;
    this.#watch?.stop();
    this.#watch = this.session?.client.watch('inpage:///storage', () => void this.#count());
    void this.#count();
    const notices = this.notices();
    this.#placeOfNotices ??= notices.parentElement!;
    this.#dialog.showModal();
    this.append(notices);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#watch?.stop();
  }

  protected override render(): TemplateResult {
    const isProtected = this.#estimate?.persisted === true;
    const row = (action: Action, title: string, shown: ActionRow): TemplateResult =>
      renderRow(action, title, shown, {
        task: this.#task,
        outcome: this.#outcome,
        cancel: () => this.#cancellation.abort(),
      });
    return html`<dialog aria-labelledby="title" @close=${this.#onClose}>
      <div class="head">
        ${icon('database')}
        <h2 id="title">Your data</h2>
        <button class="plain square" aria-label="Close" @click=${() => this.#dialog.close()}>
          ${icon('close')}
        </button>
      </div>
      <div class="body">
        ${renderAmount(this.#estimate, this.#failure)}
        ${row('keep', isProtected ? 'Protected' : 'Protect from clean-up', {
          symbol: 'shield',
          text: isProtected
            ? 'The browser has promised not to delete it by itself.'
            : 'Ask the browser not to delete it when room is short.',
          button: isProtected ? undefined : 'Protect',
          run: () => this.#keep(),
        })}
        ${row('export', 'Export', {
          symbol: 'download',
          text: 'Everything in one zip: notes as Markdown, files as they are.',
          button: 'Export',
          run: () => this.#export(),
          form: this.#renderExportForm(),
        })}
        ${row('import', 'Import', {
          symbol: 'upload',
          text: 'Bring an export back. What you have stays; what is newer wins.',
          button: 'Import',
          run: () => this.renderRoot.querySelector<HTMLElement>('[type=file]')!.click(),
          form: this.#renderImportForm(),
        })}
        <sync-card
          .link=${this.session?.sync}
          .client=${this.session?.client}
          @mcp-resource-select=${() => this.#dialog.close()}
        ></sync-card>
        ${row('delete', 'Delete everything', {
          symbol: 'remove',
          text: 'All notes and files, in every tab of this browser.',
          button: 'Delete …',
          run: () => this.#clear(),
        })}
      </div>
      <slot></slot>
      <input type="file" accept=".zip,.age,application/zip" hidden @change=${this.#onFileChosen} />
    </dialog>`;
  }

  #renderExportForm(): TemplateResult {
    const toggle = ({ target }: Event): void => {
      this.#isLocking = (target as HTMLInputElement).checked;
      this.requestUpdate();
    };
    return html`<form novalidate @submit=${this.#onExportSubmit}>
      <label class="check">
        <input type="checkbox" .checked=${this.#isLocking} @change=${toggle} />
        Protect it with a passphrase
      </label>
      ${
        this.#isLocking
          ? html`${renderPassphrase('passphrase', 'Passphrase', 'new-password')}
              ${renderPassphrase('repeated', 'The same again', 'new-password')}
              <p class="muted">
                Without it nobody can open the export: if you lose it, it cannot be recovered.
                Programs for age files can open it, too.
              </p>`
          : nothing
      }
    </form>`;
  }

  #renderImportForm(): TemplateResult | undefined {
    if (!this.#locked) return undefined;
    return html`<form @submit=${this.#onUnlock}>
      <p>“${truncateText(this.#locked.name, 80)}” is encrypted.</p>
      ${renderPassphrase('unlocking', 'Its passphrase', 'current-password')}
      <div class="buttons">
        <button class="primary">Open and import</button>
        <button type="button" @click=${() => void this.#lock(undefined)}>Not now</button>
      </div>
    </form>`;
  }

  #keep(): void {
    void this.#run({ action: 'keep', words: 'Asking the browser …' }, async (storage) => {
      const { persisted, meaning } = await storage.persist();
      return { words: persisted ? meaning : `Not yet. ${meaning} You can ask again later.` };
    });
  }

  #onExportSubmit(event: Event): void {
    event.preventDefault();
    if (!this.#task) void this.#export();
  }

  async #export(): Promise<void> {
    const passphrase = this.#passphraseOfExport();
    if (passphrase === undefined) return;
    const task = { action: 'export', words: 'Exporting', progress: { done: 0, total: 0 } } as const;
    await this.#run(task, async (storage, options) => {
      const zip = await new Response(await storage.exportZip(options)).blob();
      const name = exportName(passphrase !== '');
      downloadBlob(passphrase ? await encrypt(zip, passphrase, options.signal) : zip, name);
      return { words: `It is in your downloads: ${name}` };
    });
  }

  /**
   * Exports everything into a file that the user chooses, piece by piece, because there is no room here;
   * into the downloads where the browser lets no file be chosen. Call it in a handler of a click.
   */
  async exportElsewhere(): Promise<void> {
    const name = exportName(false);
    let file: WritableStream | undefined;
    try {
      file = await chooseFile(name);
    } catch (error) {
      if ((error as DOMException).name !== 'AbortError') this.notices().fail(error);
      return;
    }
    if (!file) return await this.#export();
    const task = { action: 'export', words: 'Exporting', progress: { done: 0, total: 0 } } as const;
    await this.#run(task, async (storage, options) => {
      await (await storage.exportZip(options)).pipeTo(file, { signal: options.signal });
      return { words: 'Your data is exported.' };
    });
  }

  /** Empty where none is wanted; undefined where it is not valid, and the browser says why. */
  #passphraseOfExport(): string | undefined {
    if (!this.#isLocking) return '';
    const [first, second] = [this.#field('passphrase'), this.#field('repeated')];
    const isShort = Array.from(first.value.normalize('NFC')).length < MIN_PASSPHRASE_LENGTH;
    first.setCustomValidity(
      isShort
        ? `At least ${MIN_PASSPHRASE_LENGTH} characters: four or five words picked at random are good.`
        : '',
    );
    second.setCustomValidity(first.value === second.value ? '' : 'The two are not the same.');
    return first.reportValidity() && second.reportValidity() ? first.value : undefined;
  }

  async #onFileChosen({ target }: Event): Promise<void> {
    const input = target as HTMLInputElement;
    const [file] = input.files ?? [];
    // The same file can be chosen again.
    input.value = '';
    if (!file || this.#task) return;
    const isLocked = await isEncrypted(file).catch(() => false);
    this.#outcome = undefined;
    await this.#lock(isLocked ? file : undefined);
    if (!isLocked) await this.#import(file);
  }

  /** Asks for the passphrase of a file, or no longer. */
  async #lock(file: File | undefined): Promise<void> {
    this.#locked = file;
    await this.#focus(file ? '[name=unlocking]' : '[data-action=import]');
  }

  /** After a failure it can be typed again. */
  async #onUnlock(event: Event): Promise<void> {
    event.preventDefault();
    if (this.#task) return;
    await this.#import(this.#locked!, this.#field('unlocking').value);
    if (!this.#outcome?.failed) return await this.#lock(undefined);
    this.#field('unlocking').focus();
    this.#field('unlocking').select();
  }

  async #import(file: File, passphrase?: string): Promise<void> {
    const task = { action: 'import', words: 'Importing', progress: { done: 0, total: 0 } } as const;
    await this.#run(task, async (storage, options) => {
      const zip = passphrase === undefined ? file : await decrypt(file, passphrase, options.signal);
      const report = await storage.importZip(zip, options).catch(async (error: unknown) => {
        // A small zip may become large: nothing was brought in yet.
        if (!(error instanceof RuntimeError) || error.code !== 'too-large') throw error;
        const texts = { title: 'Import it all the same?', yes: 'Import it', no: 'Not now' };
        if (!(await agrees({ texts, message: error.message }))) return undefined;
        return await storage.importZip(zip, { ...options, maxBytes: Infinity });
      });
      if (!report) return { words: 'Nothing was brought in.' };
      return { words: importInWords(report), lines: skippedInWords(report) };
    });
  }

  async #clear(): Promise<void> {
    const { notes, files } = this.#estimate ?? { notes: 0, files: 0 };
    const amount = notes + files > 0 ? amountOf({ notes, files }) : 'All notes and files';
    const message = `${amount} will be gone from this browser, in every tab. Nobody can bring them back, unless you have an export.`;
    const texts = { title: 'Delete everything?', yes: 'Delete everything', no: 'Keep everything' };
    if (!(await agrees({ texts, message }))) return;
    await this.#run({ action: 'delete', words: 'Deleting …' }, async (storage) => {
      await storage.clear();
      forgetDrafts(DRAFTS);
      await forgetShares();
      this.dispatchEvent(new Event('cleared'));
      return { words: 'Everything is deleted.' };
    });
  }

  /** Runs an action, unless another one runs. Never rejects. */
  async #run(task: Task, act: Act): Promise<void> {
    const runtime = this.session?.runtime;
    if (!runtime || this.#task) return;
    const { action } = task;
    const { signal } = (this.#cancellation = new AbortController());
    const onProgress = (done: number, total: number): void => {
      // It may come late.
      if (this.#task) this.#task.progress = { done, total };
      this.requestUpdate();
    };
    this.#outcome = undefined;
    this.#task = { ...task };
    this.requestUpdate();
    // An action of one step is over before the user could answer.
    if (task.progress) addEventListener('beforeunload', askBeforeUnload, { signal });
    try {
      this.#outcome = { action, ...(await act(runtime.storage, { onProgress, signal })) };
    } catch (error) {
      this.#outcome = signal.aborted
        ? { action, words: CANCELLED[action] ?? 'Cancelled.' }
        : { action, words: reasonOf(error), failed: true };
    }
    removeEventListener('beforeunload', askBeforeUnload);
    this.#task = undefined;
    void this.#count();
    const { words, failed } = this.#outcome;
    if (!this.#dialog.open) this.notices()[failed ? 'fail' : 'show'](words);
    // The key for cancelling goes.
    if (this.renderRoot.querySelector('.task button:focus'))
      await this.#focus(`[data-action=${action}]`);
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
    this.#placeOfNotices?.append(this.notices());
  }

  async #focus(selector: string): Promise<void> {
    this.requestUpdate();
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(selector)?.focus();
  }

  #field(name: string): HTMLInputElement {
    return this.renderRoot.querySelector(`input[name=${name}]`)!;
  }

  get #dialog(): HTMLDialogElement {
    return this.renderRoot.querySelector('dialog')!;
  }
}

const askBeforeUnload = (event: Event): void => event.preventDefault();

const renderPassphrase = (name: string, label: string, autocomplete: string): TemplateResult =>
  html`<label>
    ${label} <input name=${name} type="password" autocomplete=${autocomplete} required />
  </label>`;

customElements.define('data-dialog', DataDialog);

declare global {
  interface HTMLElementTagNameMap {
    'data-dialog': DataDialog;
  }
}
