import { isQuick } from './test-size.js';

/** A long test of a promise that a shorter one tests as well; `npm run test:all` runs it. */
export function itInAll(title: string, test: Mocha.Func | Mocha.AsyncFunc): void {
  if (isQuick) it.skip(title, test);
  else it(title, test);
}
