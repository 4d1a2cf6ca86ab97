/** Defines an element unless the page has one of that name: two copies of a bundle may meet. */
export function defineOnce(name: string, elementClass: CustomElementConstructor): void {
  if (!customElements.get(name)) customElements.define(name, elementClass);
}
