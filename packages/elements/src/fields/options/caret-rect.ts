/** The properties that decide where the characters of a field are. */
const PROPERTIES = [
  'border-block-width',
  'border-inline-width',
  'border-style',
  'box-sizing',
  'direction',
  'font',
  'font-feature-settings',
  'font-variation-settings',
  'hyphens',
  'letter-spacing',
  'line-height',
  'padding-block',
  'padding-inline',
  'tab-size',
  'text-align',
  'text-indent',
  'text-transform',
  'word-break',
  'word-spacing',
  'writing-mode',
];

/** How much of a text before the caret is laid out for it, in UTF-16 code units. */
const MAX_LENGTH = 20_000;

/**
 * Where a character of a text field is in the window: the platform does not report this. Lays out a
 * copy of the field, out of sight.
 *
 * @param position The index of the character, in UTF-16 code units.
 */
export function caretRect(
  field: HTMLTextAreaElement | HTMLInputElement,
  position: number,
): DOMRect {
  const box = field.getBoundingClientRect();
  // At the end of a very long text, the caret is near the lower edge.
  if (position > MAX_LENGTH) return box;
  const { copy, mark } = copyOf(field, position);
  field.ownerDocument.body.append(copy);
  const outer = copy.getBoundingClientRect();
  const inner = mark.getBoundingClientRect();
  copy.remove();
  const x = box.left + inner.left - outer.left - field.scrollLeft;
  const y = box.top + inner.top - outer.top - field.scrollTop;
  const left = Math.max(box.left, Math.min(x, box.right));
  const top = Math.max(box.top, Math.min(y, box.bottom - inner.height));
  return new DOMRect(left, top, 0, inner.height);
}

function copyOf(
  field: HTMLTextAreaElement | HTMLInputElement,
  position: number,
): { copy: HTMLElement; mark: HTMLElement } {
  const copy = field.ownerDocument.createElement('div');
  const computed = getComputedStyle(field);
  for (const name of PROPERTIES) copy.style.setProperty(name, computed.getPropertyValue(name));
  const isTextArea = field.localName === 'textarea';
  Object.assign(copy.style, {
    position: 'fixed',
    insetBlockStart: '0',
    insetInlineStart: '0',
    visibility: 'hidden',
    overflow: 'hidden',
    inlineSize: `${field.offsetWidth}px`,
    whiteSpace: isTextArea ? 'pre-wrap' : 'pre',
    overflowWrap: 'break-word',
  });
  const mark = field.ownerDocument.createElement('span');
  mark.textContent = '\u200B';
  copy.append(field.value.slice(0, position), mark);
  return { copy, mark };
}
