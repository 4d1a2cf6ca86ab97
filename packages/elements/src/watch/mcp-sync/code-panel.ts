import { msg, str } from '@lit/localize';
import { html, nothing, type LitElement, type ReactiveController, type TemplateResult } from 'lit';
import type { QrCodeGenerateResult } from 'uqr';
import { LazyPart } from '../../base/element/lazy-part.js';
import { copyIcon, icon } from '../../base/look/icons.js';
import { renderOutdated } from '../../base/look/messages.js';
import { languageTag } from '../../base/text/language.js';
import { truncateText } from '../../base/text/truncate-text.js';

/** A code that the user must write down or copy. */
export type ShownCode =
  /** The first recovery code, or one that replaces an earlier one. */
  | { kind: 'recovery' | 'new-recovery'; text: string }
  /** An invitation, and the time when it ends, in milliseconds since 1970. */
  | { kind: 'invitation'; text: string; endsAt: number };

/**
 * Shows a code until the user has taken it. While the page shows a recovery code, the browser asks before it
 * leaves the page.
 */
export class CodePanel implements ReactiveController {
  readonly #host: LitElement;
  readonly #onclose: () => void;
  readonly #encoder = new LazyPart(
    () => import('uqr'),
    () => this.#host.requestUpdate(),
  );
  #code: ShownCode | undefined;
  #picture: QrCodeGenerateResult | undefined;
  /** The result of copying, for the user. */
  #copied = '';

  /** @param onclose Called after the user has taken the code. */
  constructor(host: LitElement, onclose: () => void) {
    this.#host = host;
    this.#onclose = onclose;
    host.addController(this);
  }

  /** The kind of the code that is shown. */
  get kind(): ShownCode['kind'] | undefined {
    return this.#code?.kind;
  }

  /** Shows a code instead of the previous one, or none. */
  show(code: ShownCode | undefined): void {
    this.#code = code;
    this.#picture = undefined;
    this.#copied = '';
    if (code?.kind === 'invitation') void this.#encoder.load();
    this.#guard();
    this.#host.requestUpdate();
  }

  hostConnected(): void {
    this.#guard();
  }

  hostDisconnected(): void {
    this.#guard();
  }

  render(): TemplateResult | typeof nothing {
    if (!this.#code) return nothing;
    const { title, words, close } =
      this.#code.kind === 'invitation'
        ? this.#invitationWords(this.#code.endsAt)
        : recoveryWords(this.#code.kind);
    return html`<section class="code" part="code" aria-labelledby="code-title">
      <h3 id="code-title" tabindex="-1">${title}</h3>
      <p class="words">${words}</p>
      ${this.#renderCode(this.#code)}
      <div class="buttons">
        <button type="button" class="close primary" @click=${() => this.#close()}>${close}</button>
      </div>
    </section>`;
  }

  #invitationWords(endsAt: number): { title: string; words: string; close: string } {
    const minutes = Math.ceil((endsAt - Date.now()) / 60_000);
    const format = new Intl.RelativeTimeFormat(languageTag(), { numeric: 'always' });
    const when = format.format(minutes, 'minute');
    return {
      title: msg('Code for another device', { id: 'mcp.sync.invitation' }),
      words:
        minutes > 0
          ? msg(
              str`Enter this code where the other device asks for the passphrase. It works once, and ends ${when}.`,
              { id: 'mcp.sync.enter' },
            )
          : msg('This code has ended.', { id: 'mcp.sync.ended' }),
      close: msg('Close', { id: 'mcp.sync.close' }),
    };
  }

  #renderCode(code: ShownCode): TemplateResult | typeof nothing {
    const isInvitation = code.kind === 'invitation';
    if (isInvitation && code.endsAt <= Date.now()) return nothing;
    return html`<div class="copy">
        <code dir="ltr">${truncateText(code.text)}</code>
        <button type="button" @click=${() => void this.#copy(code.text)}>
          ${icon(copyIcon)} ${msg('Copy', { id: 'mcp.sync.copy' })}
        </button>
        <span class="muted" role="status">${this.#copied}</span>
      </div>
      ${isInvitation ? this.#renderPicture(code.text) : nothing}`;
  }

  /** A QR code: black on white in every colour scheme, as cameras expect it. */
  #renderPicture(text: string): TemplateResult {
    const { value, error } = this.#encoder;
    if (!value) {
      const remark = msg('The code cannot be shown as a picture.', { id: 'mcp.sync.no-picture' });
      return html`<div class="picture">${error && renderOutdated(remark, error)}</div>`;
    }
    this.#picture ??= value.encode(text, { ecc: 'M', border: 4 });
    const { size, data } = this.#picture;
    const dots = data.flatMap((row, y) =>
      row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
    );
    const label = msg('The same code as a QR code', { id: 'mcp.sync.picture' });
    return html`<svg
      class="picture"
      role="img"
      aria-label=${label}
      viewBox="0 0 ${size} ${size}"
      shape-rendering="crispEdges"
    >
      <path d=${dots.join('')}></path>
    </svg>`;
  }

  async #copy(text: string): Promise<void> {
    try {
      // The clipboard exists only in secure contexts.
      await navigator.clipboard.writeText(text);
      this.#copied = msg('Copied', { id: 'mcp.sync.copied' });
    } catch {
      this.#copied = msg('The browser does not let this page use the clipboard.', {
        id: 'mcp.wire.no-copy',
      });
    }
    this.#host.requestUpdate();
  }

  #close(): void {
    this.show(undefined);
    this.#onclose();
  }

  /**
   * Adds the listener only as long as it is needed, because it excludes the page from the back/forward cache.
   */
  #guard(): void {
    const isNeeded = this.#host.isConnected && this.kind?.endsWith('recovery');
    window[isNeeded ? 'addEventListener' : 'removeEventListener']('beforeunload', this.#ask);
  }

  readonly #ask = (event: Event): void => event.preventDefault();
}

function recoveryWords(kind: 'recovery' | 'new-recovery'): {
  title: string;
  words: string;
  close: string;
} {
  const use = msg(
    'If you forget the passphrase, only this code can open what is on the server. Write it down, or save it in a password manager. It is shown only once.',
    { id: 'mcp.sync.keep' },
  );
  return {
    title:
      kind === 'recovery'
        ? msg('Keep this recovery code', { id: 'mcp.sync.recovery' })
        : msg('Keep this new recovery code', { id: 'mcp.sync.new-recovery' }),
    words:
      kind === 'recovery'
        ? use
        : msg(str`The recovery code before it no longer works. ${use}`, {
            id: 'mcp.sync.replaced',
          }),
    close: msg('I have kept it', { id: 'mcp.sync.kept' }),
  };
}
