/** A text without percent-encoding; the text itself where that is malformed. */
export function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
