import { isWebKit } from './engine.js';

/**
 * An array of billions of holes: structured clone keeps its length, and a loop over so many takes minutes. Of
 * fewer in WebKit (2.50), which looks at each when it makes a copy: who sends one there harms itself alone.
 */
export const manyHoles = (): unknown[] =>
  Object.assign([], { length: isWebKit ? 2 ** 20 : 2 ** 32 - 1 });
