/**
 * Calls what the embedding page gave us. What it throws goes to the page's `error` event and
 * nowhere else: a broken callback must not stop what is served beside it.
 *
 * @returns Whether it came back without throwing.
 */
export function callGuarded(callback: () => void): boolean {
  try {
    callback();
    return true;
  } catch (error) {
    reportError(error);
    return false;
  }
}
