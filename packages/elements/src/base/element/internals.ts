/**
 * The internals of an element. They may be absent in a test environment such as happy-dom. The substitute has
 * no states, no labels, and no form.
 */
export function internalsOf(element: HTMLElement): ElementInternals {
  const { attachInternals } = element as Partial<HTMLElement>;
  const absent = { labels: [], form: null, setFormValue: doNothing, setValidity: doNothing };
  return attachInternals?.call(element) ?? (absent as unknown as ElementInternals);
}

const doNothing = (): void => undefined;
