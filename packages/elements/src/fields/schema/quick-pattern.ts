/** A longer pattern is left to the server. */
const MAX_PATTERN_LENGTH = 200;

/** How many attempts the patterns of a check may take: at most some 30 milliseconds' worth. */
const MAX_ATTEMPTS = 2_000_000;

/** What is left of the attempts of a check. */
export interface Effort {
  left: number;
}

/** The effort of a check of any number of values. */
export function newEffort(): Effort {
  return { left: MAX_ATTEMPTS };
}

/**
 * Whether a text matches a pattern of a server; `true` where finding out might take long: some
 * patterns take years for thirty letters, and nothing can stop a regular expression.
 */
export function matchesQuickly(text: string, pattern: string, effort = newEffort()): boolean {
  if (pattern.length > MAX_PATTERN_LENGTH) return true;
  const attempts = attemptsOf(pattern, text.length);
  if (attempts > effort.left) return true;
  effort.left -= attempts;
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}

/** How many ways there are at most to match a text of a length. */
function attemptsOf(pattern: string, length: number): number {
  // A character that is escaped, or a class of characters, is one character.
  const plain = pattern
    .replaceAll(/\\[1-9k]/g, '(?=')
    .replaceAll(/\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\./gu, 'a')
    .replaceAll(/\[[^\]]*\]/g, 'a');
  // Groups that repeat, groups that look ahead or behind, and references to groups.
  if (/\)(?:[*+]|\{)|\(\?(?!:|<[A-Za-z])/.test(plain)) return Infinity;
  const repeats = plain.match(/[*+]|\{\d*,\d*\}/g)?.length ?? 0;
  const branches = plain.match(/[?|]/g)?.length ?? 0;
  const starts = plain.startsWith('^') && !plain.includes('|') ? 0 : 1;
  return (length + 1) ** (repeats + starts) * 2 ** branches;
}
