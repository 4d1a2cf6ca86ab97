import './accessible.js';
import { MissingElement } from './within.js';

export { eventually, frames } from './within.js';

/** The element inside a shadow root; fails when it is not there. */
export function inside(host: Element, selector: string): HTMLElement {
  const found = host.shadowRoot?.querySelector<HTMLElement>(selector);
  if (!found) throw new MissingElement(`<${host.localName}> has no ${selector}.`);
  return found;
}

/**
 * Fails unless an element of the document, or of a shadow root, has the focus. To report one that differs by
 * `equal` takes the runner minutes.
 *
 * @param expected The element, or a selector that it matches.
 */
export function expectFocus(
  host: Element | Document,
  expected: Element | string | null | undefined,
): void {
  const { activeElement } = host instanceof Element ? host.shadowRoot! : host;
  const isExpected =
    typeof expected === 'string' ? activeElement?.matches(expected) : activeElement === expected;
  if (isExpected) return;
  throw new Error(`${tagOf(activeElement)} has the focus, not ${tagOf(expected)}.`);
}

const tagOf = (element: Element | string | null | undefined): string =>
  element instanceof Element ? (element.cloneNode() as Element).outerHTML : (element ?? 'nothing');
