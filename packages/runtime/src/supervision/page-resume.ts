/** Calls the listener each time the page resumes after it was frozen or cached, until an abort. */
export function onPageResume(listener: () => void, signal: AbortSignal): void {
  // A test may have no page.
  if (!('document' in globalThis)) return;
  addEventListener('pageshow', ({ persisted }) => persisted && listener(), { signal });
  document.addEventListener('resume', listener, { signal });
}
