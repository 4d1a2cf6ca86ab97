/** Letters without an accent that could be removed, but which users type in another way. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
};

/**
 * A text as searches compare it: in lower case, without accents, in the usual width. `Café` is `cafe`,
 * and `Straße` is `strasse`. It may be shorter or longer than the text.
 */
export function foldText(text: string): string {
  const plain = text.normalize('NFKD').toLowerCase();
  // Other marks are a part of their letter, as in Japanese.
  const letters = plain.replaceAll(/[\u0300-\u036f\u0591-\u05bd\u064b-\u0652]+/g, '');
  return letters.replaceAll(/[ßæœøłđðþıς]/g, (letter) => LETTERS[letter]!).normalize('NFC');
}
