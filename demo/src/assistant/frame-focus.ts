/**
 * Gives the focus back to what had it in this frame, when the frame gets it back: browsers forget it
 * while a dialog of the page has the focus.
 */
export function keepFocusInFrame(root: ShadowRoot): void {
  let last: HTMLElement | undefined;
  // Inside: a move within the tree of an element is no event outside of it.
  root.addEventListener('focusin', ({ target }) => (last = target as HTMLElement));
  addEventListener('focus', () => {
    if (document.activeElement === document.body) last?.focus();
  });
}
