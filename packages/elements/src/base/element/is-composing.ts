/** The key code of a key that an input method handles. */
const INPUT_METHOD = 229;

/**
 * Whether a key belongs to the composition of characters (IME). In WebKit the Enter that ends a
 * composition comes after it, and only its old key code says so
 * (https://bugs.webkit.org/show_bug.cgi?id=165004).
 */
export function isComposing(event: KeyboardEvent): boolean {
  // oxlint-disable-next-line typescript/no-deprecated
  return event.isComposing || event.keyCode === INPUT_METHOD;
}
