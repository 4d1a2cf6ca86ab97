/** Calls back each time that the page goes on after it was frozen or cached, until it is aborted. */
export function onWakeUp(listener: () => void, signal: AbortSignal): void {
  addEventListener('pageshow', ({ persisted }) => persisted && listener(), { signal });
  document.addEventListener('resume', listener, { signal });
}
