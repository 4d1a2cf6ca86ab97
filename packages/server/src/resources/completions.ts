import { MAX_COMPLETIONS, type Completion } from '@inpage-mcp/protocol';
import { fold } from '@inpage-mcp/store';

/** The values that are sent, and their total. The best come first. */
export function completionOf(values: readonly string[]): Completion {
  return { values: values.slice(0, MAX_COMPLETIONS), total: values.length };
}

/**
 * Creates a function that checks whether a text contains all typed words, also inside longer words,
 * ignoring case and width. A blank input matches every text.
 */
export function createWordMatcher(typed: string): (text: string) => boolean {
  const words = [...new Set(fold(typed).split(/\s+/))].filter((word) => word !== '');
  if (words.length === 0) return () => true;
  return (text) => {
    const folded = fold(text);
    return words.every((word) => folded.includes(word));
  };
}
