/**
 * The part of an element that has the focus: `null` if nothing in the page has it, or the element itself;
 * `undefined` if another element in the page has it, which must not lose it.
 */
export function focusedPart(host: Element): Element | null | undefined {
  let isInside = true;
  let node = host;
  for (;;) {
    const root = node.getRootNode() as Document | ShadowRoot;
    const { activeElement } = root;
    if (!(root instanceof ShadowRoot)) {
      if (!activeElement || activeElement === document.body) return null;
      return isInside && activeElement === node
        ? (host.shadowRoot?.activeElement ?? null)
        : undefined;
    }
    isInside &&= activeElement === node;
    node = root.host;
  }
}
