/**
 * Control characters, marks that change the direction of the text around them, line separators,
 * invisible operators, and halves of surrogate pairs. Joiners stay: words and emoji need them.
 */
const INVISIBLE =
  /[\u0000-\u001F\u007F-\u009F\u00AD\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/**
 * A string with its invisible characters written as in JSON, such as `\u202E`, so that it shows what
 * it is. For texts of programs, such as messages; the words of people may need those characters.
 */
export function escapeInvisible(text: string): string {
  return text.replaceAll(INVISIBLE, (character) => {
    const code = character.charCodeAt(0).toString(16).toUpperCase();
    return `\\u${code.padStart(4, '0')}`;
  });
}
