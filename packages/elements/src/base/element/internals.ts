/**
 * The internals of an element. Where a test renders the page, as with happy-dom, they may be absent: what
 * stands in their place has no states, no labels, and no form.
 */
export function internalsOf(element: HTMLElement): ElementInternals {
  const { attachInternals } = element as Partial<HTMLElement>;
  const absent = { labels: [], form: null, setFormValue: doNothing, setValidity: doNothing };
  return attachInternals?.call(element) ?? (absent as unknown as ElementInternals);
}

const doNothing = (): void => undefined;
