/**
 * Whether a text holds all words of what was typed, as parts of longer words too, in whatever case
 * and width. A blank one is held by every text. For titles and paths: normalising sorts combining
 * marks in quadratic time, so that longer texts must be kept away.
 */
export function holdsWordsOf(typed: string): (text: string) => boolean {
  const words = [...new Set(fold(typed).split(/\s+/))].filter((word) => word !== '');
  if (words.length === 0) return () => true;
  return (text) => {
    const folded = fold(text);
    return words.every((word) => folded.includes(word));
  };
}

/** The form in which what was typed is compared. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
