/** Characters that turn the direction of what follows them. */
const DIRECTION_CONTROLS = /[\u202A-\u202E\u2066-\u2069]/g;

/**
 * A name from elsewhere for the middle of a sentence: its direction does not reach the rest of the
 * sentence.
 */
export function isolate(name: string): string {
  return `\u2068${name.replaceAll(DIRECTION_CONTROLS, '')}\u2069`;
}

/** The parts of a sentence: the names in it that `isolate` has made, and the words between them. */
export function isolatedNames(sentence: string): { text: string; isName: boolean }[] {
  return sentence
    .split(/\u2068(.*?)\u2069/s)
    .map((text, index) => ({ text, isName: index % 2 === 1 }))
    .filter(({ text }) => text !== '');
}
