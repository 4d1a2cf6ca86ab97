import { html, nothing, type TemplateResult } from 'lit';
import { printJson, type Printed } from './print-json.js';

/** How many characters of a message are shown at first, and at most. */
const FIRST_LENGTH = 8_192;
const MAX_LENGTH = 131_072;

/** A part of the text that is laid out on its own, in characters. */
const PORTION_LENGTH = 8_192;

/** One message as JSON, of which a part is shown, and more when the user asks for it. */
export class JsonView {
  readonly message: unknown;
  #length = FIRST_LENGTH;
  #printed: Printed | undefined;

  constructor(message: unknown) {
    this.message = message;
  }

  get #shown(): Printed {
    this.#printed ??= printJson(this.message, this.#length);
    return this.#printed;
  }

  /** Whether a part is left out, and can be shown. */
  get hasMore(): boolean {
    return !this.#shown.isWhole && this.#length < MAX_LENGTH;
  }

  /** Whether a part is left out that is too large to be shown. */
  get isTooLong(): boolean {
    return !this.#shown.isWhole && this.#length >= MAX_LENGTH;
  }

  /** Shows four times as much. */
  showMore(): void {
    this.#length = Math.min(4 * this.#length, MAX_LENGTH);
    this.#printed = undefined;
  }

  /** @param label The accessible name. */
  render(label: string): TemplateResult {
    const portions = portionsOf(this.#shown.text);
    // Left to right in every language, as JSON is read.
    return html`<pre part="json" dir="ltr" tabindex="0" role="region" aria-label=${label}>
${portions.map((text) => html`<span class="portion">${text.split('\n').map(renderLine)}</span>`)}</pre>`;
  }
}

/** The text in pieces that end with a line where they can. */
function portionsOf(text: string): string[] {
  const portions: string[] = [];
  for (let start = 0; start < text.length;) {
    const limit = start + PORTION_LENGTH;
    const line = text.lastIndexOf('\n', limit) + 1;
    const end = limit >= text.length ? text.length : line > start ? line : limit;
    portions.push(text.slice(start, end));
    start = end;
  }
  return portions;
}

/** The indentation, the key, and the rest of a line. */
const LINE = /^(?<space> *)(?:(?<key>"(?:[^"\\]|\\.)*")(?=: ))?(?<rest>.*)$/s;

/** A line with its key, number or other literal in a colour. */
function renderLine(line: string, index: number): TemplateResult {
  const { space = '', key, rest = '' } = LINE.exec(line)?.groups ?? {};
  const isLiteral = /^(?:: )?[-\dtfn]/.test(rest);
  return html`${index > 0 ? '\n' : nothing}${space}${key ? html`<span class="key">${key}</span>` : nothing}${isLiteral ? html`<span class="literal">${rest}</span>` : rest}`;
}
