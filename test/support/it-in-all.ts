import { isQuick } from './test-size.js';

/**
 * A long test of a promise that a shorter one tests as well, or of a limit that is large; `npm run test:all`,
 * which CI runs, runs it. `npm test` counts it as skipped, so that its last lines say that it left some out.
 */
export function itInAll(title: string, test: Mocha.Func | Mocha.AsyncFunc): void {
  if (isQuick) it.skip(title, test);
  else it(title, test);
}
