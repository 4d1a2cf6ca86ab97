/** A text without percent-encoding; the text itself if its encoding is malformed. */
export function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
