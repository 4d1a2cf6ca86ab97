/**
 * Invisible characters, except line ends and tabs: controls, all characters that Unicode lets fonts ignore,
 * separators, and the blank of Braille.
 */
const UNSEEN =
  /[\0-\x08\x0B-\x1F\x7F-\x9F\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB\u2800]+/gu;

/** A letter that is written from right to left. */
const RTL = '(?=\\p{L})[\\u0590-\\u08FF\\uFB1D-\\uFDFF\\uFE70-\\uFEFC]';

/** A letter of a script that marks the ends of words with a space without width. */
const SPACELESS = '[\\u0E01-\\u0EFF\\u0F40-\\u0FBC\\u1000-\\u109F\\u1780-\\u17B3]';

/** Any character that fonts do not leave out. */
const SEEN = '\\P{Default_Ignorable_Code_Point}';

/**
 * Invisible characters that have an effect on the character before or after them, which languages and emoji
 * need: they join letters, choose a form, mark a direction or the end of a word, or are a part of a line end.
 */
const AT_WORK = new RegExp(
  `^(?:${[
    `(?![\\p{sc=Latin}\\p{sc=Greek}\\p{sc=Cyrillic}\\p{sc=Han}\\p{sc=Hangul}])[\\p{L}\\p{M}][\\u200C\\u200D]${SEEN}?`,
    '[\\p{Extended_Pictographic}\\p{EMod}]\\uFE0F?\\u200D\\p{Extended_Pictographic}',
    `\\p{Extended_Pictographic}[\\uFE0E\\uFE0F]${SEEN}?`,
    '[\\d#*]\\uFE0F\\u20E3',
    `\\p{Unified_Ideograph}[\\uFE00-\\uFE02\\u{E0100}-\\u{E01EF}]${SEEN}?`,
    `[\\u1820-\\u18AA][\\u180B-\\u180E]${SEEN}?`,
    `${RTL}[\\u200E\\u200F\\u061C]${SEEN}?|${SEEN}?[\\u200E\\u200F\\u061C]${RTL}`,
    `${SPACELESS}\\u200B${SPACELESS}`,
    `${SEEN}?\\r\\n`,
  ].join('|')})$`,
  'u',
);

const PLAIN = /^[\x20-\x7E\n\t]*$/;

/**
 * The maximum length of a run whose characters are shown one by one, in UTF-16 code units. A longer run is
 * counted.
 */
const MAX_RUN = 8;

/**
 * A text of another author by which the user decides, with all invisible characters: each as `⟨U+202E⟩`, and
 * many in a row as `⟨U+200B … U+FE0F: 900⟩`, with the first, the last, and their number. Line ends and tabs
 * stay, and joiners and marks if the language needs them.
 */
export function visibleText(text: string): string {
  if (PLAIN.test(text)) return text;
  return replaceUnseen(text, (run) => {
    const characters = Array.from(run.length > MAX_RUN ? run.slice(0, 2) + run.slice(-2) : run);
    if (run.length <= MAX_RUN) return characters.map((one) => `⟨${codeOf(one)}⟩`).join('');
    return `⟨${codeOf(characters[0]!)} … ${codeOf(characters.at(-1)!)}: ${lengthOf(run)}⟩`;
  });
}

/**
 * A text of a program, such as a message, with every invisible character in the form of JSON: `\u202E`.
 * Characters that `visibleText` keeps stay here, too.
 */
export function escapeInvisible(text: string): string {
  return replaceUnseen(text, (run) =>
    Array.from({ length: run.length }, (_, at) => `\\u${hexadecimal(run.charCodeAt(at))}`).join(''),
  );
}

/**
 * The number of invisible characters of a text that `visibleText` keeps because languages need them, of
 * spaces at the ends of lines, and of line ends of the rarer kind. A text can be hidden in them.
 */
export function countUnseen(text: string): number {
  let count = 0;
  for (const [spaces] of text.matchAll(/(?<!\p{Zs})\p{Zs}+(?=\r?\n|$)/gu)) count += spaces.length;
  if (PLAIN.test(text)) return count;
  let [lineEnds, others] = [text.match(/\n/g)?.length ?? 0, 0];
  for (const { 0: run, index } of text.matchAll(UNSEEN)) {
    if (run === '\r') others += 1;
    else if (isAtWork(text, run, index)) count += lengthOf(run);
  }
  return count + Math.min(others, lineEnds - others);
}

function replaceUnseen(text: string, replace: (run: string) => string): string {
  return text.replaceAll(UNSEEN, (run, at: number) =>
    isAtWork(text, run, at) ? run : replace(run),
  );
}

function isAtWork(text: string, run: string, at: number): boolean {
  if (run.length > 2) return false;
  const before = Array.from(text.slice(Math.max(0, at - 2), at)).at(-1) ?? '';
  const [after = ''] = text.slice(at + run.length, at + run.length + 2);
  return AT_WORK.test(before + run + after);
}

/** The length in code points. */
function lengthOf(text: string): number {
  return text.length - (text.match(/[\u{10000}-\u{10FFFF}]/gu)?.length ?? 0);
}

function codeOf(character: string): string {
  return `U+${hexadecimal(character.codePointAt(0)!)}`;
}

function hexadecimal(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, '0');
}
