/**
 * Puts a text on the clipboard; must be called while a click is handled.
 *
 * @throws {Error} that says, for the user, why it cannot be done.
 */
export async function copyText(text: string): Promise<void> {
  // Typed as always there, which it is in secure contexts only.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (!clipboard) throw new Error('the browser lets only pages over https use the clipboard.');
  try {
    await clipboard.writeText(text);
  } catch (cause) {
    throw new Error('the browser does not let this page use the clipboard.', { cause });
  }
}
