import { fold } from '@inpage-mcp/store';

/**
 * Whether a text holds all words of what was typed, as parts of longer words too, in whatever case
 * and width. A blank one is held by every text.
 */
export function holdsWordsOf(typed: string): (text: string) => boolean {
  const words = [...new Set(fold(typed).split(/\s+/))].filter((word) => word !== '');
  if (words.length === 0) return () => true;
  return (text) => {
    const folded = fold(text);
    return words.every((word) => folded.includes(word));
  };
}
