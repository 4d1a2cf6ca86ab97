import { html, type TemplateResult } from 'lit';
import { LongText } from '../../base/look/long-text.js';

/**
 * The length of a document that is shown at first, and the length that each part adds to that of its text, in
 * UTF-16 code units.
 */
const FIRST_LENGTH = 16_384;
const PART_LENGTH = 256;

/** A part of a document, whose kind determines its look: a title, added lines, removed lines. */
export interface TextPart {
  readonly text: string;
  /** The kind of the part. Default: ordinary text. */
  readonly kind?: 'title' | 'label' | 'added' | 'removed' | 'skipped' | undefined;
}

/** A text of several parts, which is shown and read as one. */
export class LongDocument extends LongText {
  readonly #parts: readonly TextPart[];
  readonly #length: number;
  readonly #shown: LongText[] = [];
  #limit = FIRST_LENGTH;

  constructor(parts: readonly TextPart[]) {
    super('');
    this.#parts = parts;
    // Each part ends with a line end.
    this.#length = parts.reduce((sum, { text }) => sum + text.length + 1, 0);
    this.#show();
  }

  override get lengths(): readonly [shown: number, all: number] {
    return [this.#shown.reduce((sum, { lengths }) => sum + lengths[0] + 1, 0), this.#length];
  }

  override get unseen(): number {
    return this.#shown.reduce((sum, { unseen }) => sum + unseen, 0);
  }

  override showMore(): void {
    super.showMore();
    const last = this.#shown.at(-1);
    if (last?.isWhole === false) return last.showMore();
    this.#limit *= 2;
    this.#show();
  }

  override render(): TemplateResult {
    return html`<div class="document">
      ${this.#shown.map((text, at) => renderPart(text, this.#parts[at]!.kind))}
    </div>`;
  }

  #show(): void {
    let room = this.#limit;
    let isWhole = true;
    while (this.#shown.length < this.#parts.length && room > 0 && isWhole) {
      const text = new LongText(this.#parts[this.#shown.length]!.text);
      this.#shown.push(text);
      isWhole = text.isWhole;
      room -= text.lengths[0] + PART_LENGTH;
    }
  }
}

/** Renders a part. Added and removed lines have elements of their own, which screen readers announce. */
function renderPart(text: LongText, kind: TextPart['kind']): TemplateResult {
  if (kind === 'added') return html`<ins class="part added">${text.render()}</ins>`;
  if (kind === 'removed') return html`<del class="part removed">${text.render()}</del>`;
  return html`<div class="part ${kind ?? ''}">${text.render()}</div>`;
}
