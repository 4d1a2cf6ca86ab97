import type { McpClient } from '@inpage-mcp/client';
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { sharedStyles } from '../ui/shared-styles.js';
import type { SyncLink, SyncServer } from './sync-link.js';

/** The card of the other devices: the server where they meet, and `<mcp-sync>`. */
export class SyncCard extends LitElement {
  static override readonly styles = [
    sharedStyles,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 0.6rem;
        padding: 1rem 1.25rem;
        border-block-start: 1px solid var(--_line);
        font-size: 0.875rem;
      }

      form,
      label {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 0.6rem;
      }

      label {
        gap: 0.2rem;
      }

      /* With large text, a label is wider than a telephone. */
      button {
        white-space: normal;
      }

      .muted {
        font-size: 0.8125rem;
      }
    `,
  ];

  static override readonly properties = {
    link: { attribute: false },
    client: { attribute: false },
  };

  declare link: SyncLink | undefined;
  declare client: McpClient | undefined;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('link')) this.link?.addEventListener('change', () => this.requestUpdate());
  }

  protected override render(): TemplateResult {
    return html`<h3>Other devices</h3>
      ${this.link?.server ? this.#renderDevices(this.link) : this.#renderServer()}`;
  }

  #renderServer(): TemplateResult {
    const problem = this.link?.problem;
    return html`<p>
        The same notes and files on all of your devices, encrypted before they leave this one. They
        meet at a server of yours, which cannot read them.
      </p>
      <form @submit=${this.#onSubmit}>
        ${renderField('address', 'Address: https:// for CouchDB, wss:// for NATS', 'url')}
        ${renderField('user', 'User, if it needs one', 'text')}
        ${renderField('password', 'Password', 'password')}
        <p class="muted">This browser keeps all three, so that it goes on at your next visit.</p>
        ${problem ? html`<p class="problem" role="alert">${problem}</p>` : nothing}
        <div class="buttons"><button class="primary">Use this server</button></div>
      </form>`;
  }

  #renderDevices(link: SyncLink): TemplateResult {
    if (!link.sync) return html`<p role="status">Starting …</p>`;
    return html`<p class="muted">${new URL(link.server!.address).host}</p>
      <mcp-sync .sync=${link.sync} .client=${this.client}></mcp-sync>
      <div class="buttons">
        <button @click=${() => this.#forgetServer(link)}>Use another server …</button>
      </div>`;
  }

  #onSubmit(event: Event): void {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const fieldOf = (name: keyof SyncServer): HTMLInputElement =>
      form.elements.namedItem(name) as HTMLInputElement;
    const field = fieldOf('address');
    const address = field.value.trim();
    const [user, password] = [fieldOf('user').value.trim(), fieldOf('password').value];
    const isKnown = /^(https?|wss?):\/\/[^/]/.test(address) && URL.canParse(address);
    field.setCustomValidity(isKnown ? '' : 'An address begins with https:// or wss://.');
    field.addEventListener('input', () => field.setCustomValidity(''), { once: true });
    if (form.reportValidity()) void this.link?.use({ address, user, password });
  }

  #forgetServer(link: SyncLink): void {
    link.forgetServer();
    void this.updateComplete.then(() => this.renderRoot.querySelector('input')?.focus());
  }
}

function renderField(name: string, label: string, type: string): TemplateResult {
  return html`<label
    >${label}
    <input
      name=${name}
      type=${type}
      autocomplete="off"
      ?required=${name === 'address'}
      spellcheck="false"
    />
  </label>`;
}

customElements.define('sync-card', SyncCard);

declare global {
  interface HTMLElementTagNameMap {
    'sync-card': SyncCard;
  }
}
