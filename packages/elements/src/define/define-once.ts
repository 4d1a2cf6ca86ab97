/**
 * Defines an element unless the page already has one of that name, because two copies of a bundle may meet.
 * The modules that call this also export the types by which TypeScript knows an element by its tag, and its
 * events.
 */
export function defineOnce(name: string, elementClass: CustomElementConstructor): void {
  if (!customElements.get(name)) customElements.define(name, elementClass);
}
