/** Words that are in most questions, and say nothing of what is asked for. */
const COMMON = new Set(
  (
    'what which when where does have about with from that this there their your mine the and for are ' +
    'was were can you please tell show read say says write wrote note notes file files list'
  ).split(' '),
);

/** How many lines of one text are quoted at most. */
const MAX_LINES = 5;

/** The words of a question by which a text may be found. */
export function significantWords(question: string): string[] {
  const words = question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter(
    (word) => (word.length > 2 || /[^\0-\u02ff]/.test(word)) && !COMMON.has(word),
  );
}

/** The lines of a text with most of the words, in their order. */
export function matchingLines(text: string, words: readonly string[]): string[] {
  const lines = text.split('\n').map((line, at) => {
    const lower = line.toLowerCase();
    return { line, at, score: words.filter((word) => lower.includes(word)).length };
  });
  const best = Math.max(...lines.map(({ score }) => score));
  if (best <= 0) return [];
  return lines
    .filter(({ score, line }) => score === best && line.trim() !== '')
    .slice(0, MAX_LINES)
    .map(({ line }) => line);
}
