/** Structured clone keeps the length of an array, and a loop over so many takes minutes. */
const BILLIONS = 2 ** 32 - 1;

/**
 * So many show whether each is looked at: that takes half a second then, and else no time. One more than V8
 * keeps as a plain array: of 2 ** 25 holes it allocates, and looks at, each.
 */
const SAMPLE = 2 ** 25 + 1;

const FEWER = 2 ** 20;

const holes = (length: number): unknown[] => Object.assign([], { length });

/** Looks at the browser only once: where it looks at each hole, that takes long. */
let harmlessLength: number | undefined;

function lengthThatHarmsNobody(): number {
  const start = performance.now();
  structuredClone(holes(SAMPLE));
  return performance.now() - start > 50 ? FEWER : BILLIONS;
}

/**
 * An array of billions of holes; of fewer in WebKit (2.50), which looks at each when it makes a copy: who
 * sends one there harms itself alone.
 */
export function manyHoles(): unknown[] {
  harmlessLength ??= lengthThatHarmsNobody();
  return holes(harmlessLength);
}
