import type { McpClient } from '@inpage-mcp/client';
import {
  forgetDrafts,
  type ExportProtection,
  type McpStorageDoneEvent,
} from '@inpage-mcp/elements/classes';
import type { Runtime } from '@inpage-mcp/runtime';
import { html, type TemplateResult } from 'lit';
import { forgetShares } from '../offline/shares.js';
import { dialogStyles } from '../ui/dialog.styles.js';
import { icon } from '../ui/icons.js';
import type { NoticeStack } from '../ui/notice-stack.js';
import { SeenElement } from '../ui/seen-element.js';
import { sharedStyles } from '../ui/shared-styles.js';
import { decrypt, encrypt, isEncrypted } from './age.js';
import { styles } from './data-dialog.styles.js';
import './sync-card.js';
import type { SyncLink } from './sync-link.js';
import { DRAFTS } from './user-writes.js';

/** The protection of exports in the format of age. */
const age: ExportProtection = {
  extension: '.age',
  remark: 'Programs for age files can open it, too.',
  isProtected: isEncrypted,
  protect: encrypt,
  open: decrypt,
};

/**
 * All of the user's data, in a dialog. An action that is running when it is closed continues.
 *
 * @slot - The notices while it is open, because everything outside of it is inert then.
 * @fires cleared - Everything was deleted.
 */
export class DataDialog extends SeenElement {
  static override readonly styles = [sharedStyles, dialogStyles, styles];

  static override readonly properties = {
    session: { attribute: false },
    notices: { attribute: false },
  };

  declare session: { runtime: Runtime; client: McpClient; sync: SyncLink } | undefined;
  declare notices: () => NoticeStack;

  /** The place of the notices while the dialog is closed. */
  #placeOfNotices: Element | undefined;

  /** Shows the dialog, without earlier messages and input. */
  open(): void {
    if (this.#dialog.open) return;
    // Its script may still be loading.
    this.#storage?.reset?.();
    this.#show();
  }

  #show(): void {
    if (this.#dialog.open) return;
    const notices = this.notices();
    this.#placeOfNotices ??= notices.parentElement!;
    this.#dialog.showModal();
    this.append(notices);
  }

  /** Exports everything into a file that the user chooses. Call it in a handler of a click. */
  async exportElsewhere(): Promise<void> {
    await customElements.whenDefined('mcp-storage');
    await this.#storage?.exportToFile();
  }

  protected override render(): TemplateResult {
    return html`<dialog aria-labelledby="title" @close=${this.#onClose}>
      <div class="head">
        ${icon('database')}
        <h2 id="title">Your data</h2>
        <button class="plain square" aria-label="Close" @click=${() => this.#dialog.close()}>
          ${icon('close')}
        </button>
      </div>
      <div class="body">
        ${
          this.session
            ? html`<mcp-storage
                export-name="in-page-mcp"
                .storage=${this.session.runtime.storage}
                .client=${this.session.client}
                .protection=${age}
                @mcp-storage-done=${this.#onDone}
                @mcp-storage-question=${this.#show}
              >
                <sync-card
                  .link=${this.session.sync}
                  .client=${this.session.client}
                  @mcp-resource-select=${() => this.#dialog.close()}
                ></sync-card>
              </mcp-storage>`
            : html`<p class="start" role="status">Starting …</p>`
        }
      </div>
      <slot></slot>
    </dialog>`;
  }

  #onDone({ action, text, failed, isComplete }: McpStorageDoneEvent): void {
    if (!this.#dialog.open) this.notices()[failed ? 'fail' : 'show'](text);
    if (action !== 'clear' || !isComplete) return;
    forgetDrafts(DRAFTS);
    void forgetShares();
    this.dispatchEvent(new Event('cleared'));
  }

  /** Handles the end of the dialog. The event comes later than the closing, so the dialog may be open again. */
  #onClose(): void {
    if (this.#dialog.open) return;
    this.#placeOfNotices?.append(this.notices());
  }

  get #dialog(): HTMLDialogElement {
    return this.renderRoot.querySelector('dialog')!;
  }

  get #storage(): HTMLElementTagNameMap['mcp-storage'] | null {
    return this.renderRoot.querySelector('mcp-storage');
  }
}

customElements.define('data-dialog', DataDialog);

declare global {
  interface HTMLElementTagNameMap {
    'data-dialog': DataDialog;
  }
}
