import './accessible.js';
import { MissingElement } from './within.js';

export { eventually, frames } from './within.js';

/** The element inside a shadow root; fails when it is not there. */
export function inside(host: Element, selector: string): HTMLElement {
  const found = host.shadowRoot?.querySelector<HTMLElement>(selector);
  if (!found) throw new MissingElement(`<${host.localName}> has no ${selector}.`);
  return found;
}
