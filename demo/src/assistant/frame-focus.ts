/**
 * Gives the focus back to what had it in this frame, when the frame gets it back: browsers forget it
 * while a dialog of the page has the focus.
 */
export function keepFocusInFrame(): void {
  let last: HTMLElement | undefined;
  addEventListener('focusin', (event) => (last = event.composedPath()[0] as HTMLElement));
  addEventListener('focus', () => {
    if (document.activeElement === document.body) last?.focus();
  });
}
