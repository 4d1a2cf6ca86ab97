/** Characters that turn the direction of what follows, hide, or control: except line ends and tabs. */
const DECEPTIVE =
  /[\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F\u202A-\u202E\u2066\u2067\uFFF9-\uFFFB\u{E0000}-\u{E0FFF}]/gu;

/** In a name, also every other character that shows nothing, or starts a line. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Co}\p{Cn}\u115F\u1160\u3164\uFFA0\u2800]/gu;

/** They join letters and emoji to what is shown. */
const JOINERS = '\u200C\u200D';

/**
 * A text in which no character is hidden that could change how people read it: overrides of the
 * direction and control characters become `⟨U+202E⟩`.
 */
export function visibleText(text: string): string {
  return text.replaceAll(DECEPTIVE, codePointText);
}

/** A name on one line, with every character that shows nothing as `⟨U+200B⟩`. */
export function visibleName(name: string): string {
  return name.replaceAll(INVISIBLE, codePointText);
}

/**
 * A text of a program, such as a message, with every character that shows nothing as in JSON:
 * `\u202E`. Joiners stay.
 */
export function escapeInvisible(text: string): string {
  return text.replaceAll(INVISIBLE, (character) =>
    JOINERS.includes(character) ? character : character.split('').map(escapeCodeUnit).join(''),
  );
}

function codePointText(character: string): string {
  return `⟨U+${hexadecimal(character.codePointAt(0)!)}⟩`;
}

function escapeCodeUnit(codeUnit: string): string {
  return `\\u${hexadecimal(codeUnit.charCodeAt(0))}`;
}

function hexadecimal(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, '0');
}
