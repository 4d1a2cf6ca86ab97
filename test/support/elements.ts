import './accessible.js';

/** Resolves with the first truthy value of `look`, asked again with every frame. */
export async function eventually<Value>(
  look: () => Value | undefined | null | false,
): Promise<Value> {
  for (;;) {
    const value = look();
    if (value !== undefined && value !== null && value !== false) return value;
    await new Promise(requestAnimationFrame);
  }
}

/** The element inside a shadow root; fails when it is not there. */
export function inside(host: Element, selector: string): HTMLElement {
  const found = host.shadowRoot?.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`<${host.localName}> has no ${selector}.`);
  return found;
}
