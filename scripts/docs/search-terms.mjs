// The terms of the docs site's search, which are the same in the index and in a question.

/** Words without a meaning for a search. */
const stopWords = new Set(
  `a about all also an and any anything are as at be but by can could did do does for from get gets
  had happen happens has have how i if in into is it its just like make many me mean means much my
  need needs not of on one only or our out please should show so some support supported supports tell than that the their them
  then there these they this those to up us use used uses using want was way we what when where
  which while who why will with without work works would you your`.split(/\s+/),
);

/** Words that have the same meaning here; the documents use the first of a line. */
const meanings = new Map(
  [
    'accessibility accessible a11y',
    'colour color',
    'delete remove erase wipe',
    'die dead crash kill',
    'document doc',
    'licence license',
    'limit maximum max',
    'phone mobile telephone smartphone android iphone ios',
    'size big large',
    'speed fast slow',
    'store keep kept save hold',
  ].flatMap((line) => {
    const words = line.split(' ').map(stem);
    return words.map((word) => [word, words[0]]);
  }),
);

/**
 * The word without the ending of a plural or of another form of a verb, so that `deleted` and
 * `deletion` find `delete`. Porter's stemmer (`stemmer` 2.0.1) found 93 of the hundred questions of the
 * tests where this finds 95: it takes `accessible` for `access`.
 * @param {string} word
 */
function stem(word) {
  const whole = word.replace(/(?<=...)ies$|(?<=...)y$/, 'i');
  const cut = whole.replace(/(?<=....)(?:ions?|ing|ed)$/, '');
  if (cut !== whole) return cut.replace(/([^aeiouylsz])\1$/, '$1').replace(/(?<=....)e$/, '');
  return whole.replace(/(?<![sui])s$/, '').replace(/(?<=....)e$/, '');
}

/** @param {string} word */
const meaningOf = (word) => meanings.get(stem(word)) ?? stem(word);

/**
 * A term of the index; none for a word without a meaning for a search, unless it is a name.
 * @param {string} word
 * @param {string} [field]
 */
export function termOf(word, field) {
  const lower = word.toLowerCase();
  return field === 'text' && stopWords.has(lower) ? null : meaningOf(lower);
}

/**
 * The terms of a question. If none of its words has a meaning for a search, all of them count.
 * @param {string} query
 */
export function termsOf(query) {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  const telling = words.filter((word) => !stopWords.has(word));
  return [...new Set((telling.length > 0 ? telling : words).map(meaningOf))];
}
