import type { Resource } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { html, nothing, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { closeIcon, icon, iconFor } from '../../base/look/icons.js';
import { formatNumber } from '../../base/text/format.js';
import { nameOf } from '../../base/text/name-of.js';
import { tokensOfResource } from '../../base/text/tokens.js';
import { truncateText } from '../../base/text/truncate-text.js';
import type { Choice } from './choice.js';
import { titleOf } from './option.js';
import { formatTokens } from '../../base/text/format-tokens.js';

/** The maximum number of chips that are shown; the page or the form has the rest, too. */
const MAX_CHIPS = 200;

/** The parts of the picker that the chips need. */
export interface PickedChipsOptions {
  resourceOf: (uri: string) => Resource | undefined;
  remove: (uri: string) => void;
  /** Moves the focus out of the chips, when the last one is removed. */
  leave: () => void;
}

/** The chosen resources as chips, each with a button that removes it. */
export class PickedChips {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #options: PickedChipsOptions;
  #uris: readonly string[] = [];

  constructor(host: ReactiveControllerHost & HTMLElement, options: PickedChipsOptions) {
    this.#host = host;
    this.#options = options;
  }

  /** Moves the focus to the last chip. Returns whether a chip exists. */
  enter(): boolean {
    return this.#focus(this.#uris.length - 1);
  }

  render(choice: Choice, isDisabled: boolean): TemplateResult | typeof nothing {
    const { uris } = choice;
    this.#uris = uris.slice(0, MAX_CHIPS);
    if (uris.length === 0) return nothing;
    const hidden = uris.length - this.#uris.length;
    const label = msg('Chosen resources', { id: 'mcp.resource-picker.chosen' });
    return html`<ul class="chips" part="chips" role="list" aria-label=${label}>
        ${repeat(
          this.#uris,
          (uri) => uri,
          (uri) => this.#renderChip(uri, choice, isDisabled),
        )}
      </ul>
      ${
        hidden > 0
          ? html`<p class="note">
              ${msg(str`More chosen resources: ${formatNumber(hidden)}`, { id: 'mcp.resource-picker.hidden' })}
            </p>`
          : nothing
      }`;
  }

  #renderChip(uri: string, choice: Choice, isDisabled: boolean): TemplateResult {
    const resource = this.#options.resourceOf(uri);
    const title = resource ? titleOf(resource) : nameOf(uri) || truncateText(uri);
    const tokens = resource && tokensOfResource(resource);
    const isAutomatic = !choice.isChosen(uri);
    const isFirstOut = isAutomatic && choice.included.at(-1)?.uri === uri;
    return html`<li
      class=${isAutomatic ? 'chip automatic' : 'chip'}
      part="chip"
      title=${truncateText(uri)}
    >
      ${icon(iconFor(resource?.mimeType))}
      <span class="words">
        <span class="one-line title" part="title">${title}</span>
        ${isAutomatic ? this.#renderBadge(isFirstOut) : nothing}
        ${tokens === undefined ? nothing : html`<span class="tokens">${formatTokens(tokens)}</span>`}
      </span>
      <button
        type="button"
        class="quiet"
        aria-label=${msg(str`Remove ${title}`, { id: 'mcp.field.remove' })}
        ?disabled=${isDisabled}
        @click=${() => this.#remove(uri)}
        @keydown=${({ key, repeat: isHeld }: KeyboardEvent) => {
          if (!isHeld && (key === 'Delete' || key === 'Backspace')) this.#remove(uri);
        }}
      >
        ${icon(closeIcon)}
      </button>
    </li>`;
  }

  #renderBadge(isFirstOut: boolean): TemplateResult {
    return html`<span class="badge"
      >${
        isFirstOut
          ? msg('automatic, left out first', { id: 'mcp.resource-picker.first-out' })
          : msg('automatic', { id: 'mcp.resource-picker.automatic' })
      }</span
    >`;
  }

  #focus(index: number): boolean {
    const buttons = this.#host.shadowRoot!.querySelectorAll<HTMLElement>('.chip > button');
    buttons[index]?.focus();
    return index in buttons;
  }

  /** Removes a chip; the focus moves to its neighbour. */
  #remove(uri: string): void {
    const index = this.#uris.indexOf(uri);
    this.#options.remove(uri);
    void this.#host.updateComplete.then(() => {
      const last = this.#uris.length - 1;
      if (!this.#focus(Math.min(index, last))) this.#options.leave();
    });
  }
}
