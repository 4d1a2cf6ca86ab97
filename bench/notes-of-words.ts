import type { NewNote } from '@inpage-mcp/store';

/** How many different words there are. */
const VOCABULARY_SIZE = 20_000;
/** How long a text becomes, in code units. */
const TEXT_LENGTH = 1_000;

const CONSONANTS = 'bcdfghjklmnpqrstvwz';
const VOWELS = 'aeiou';

/** Random numbers below 1, the same in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Words of two to five syllables, the most frequent first, no two alike. */
export function makeVocabulary(): string[] {
  const random = randomFrom(1);
  const letterOf = (letters: string) => letters[Math.floor(random() * letters.length)]!;
  const words = new Set<string>();
  while (words.size < VOCABULARY_SIZE) {
    let word = '';
    for (let syllables = 2 + random() * 3; syllables > 0; syllables -= 1) {
      word += letterOf(CONSONANTS) + letterOf(VOWELS);
    }
    words.add(word);
  }
  return [...words];
}

/** Notes of a kilobyte, in which words are as frequent as in a language: the nth one in n times less. */
export function makeNotes(count: number, vocabulary: readonly string[], seed: number): NewNote[] {
  const random = randomFrom(seed);
  const word = () => vocabulary[Math.floor(vocabulary.length ** random()) - 1]!;
  const words = (number: number) => Array.from({ length: number }, word).join(' ');
  return Array.from({ length: count }, () => {
    let text = '';
    while (text.length < TEXT_LENGTH) text += `${word()} `;
    return { title: words(4), tags: [word(), word()], text };
  });
}
