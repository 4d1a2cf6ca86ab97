import type { Confirm, PageEnd } from './control-plane.js';

/** Asks the page's user over the control plane, which carries no signals. */
export function askingPage(page: PageEnd): Confirm {
  let lastQuestion = 0;
  return async (request, { signal }) => {
    lastQuestion += 1;
    const question = lastQuestion;
    const withdraw = (): void => {
      // A page that is gone or frozen receives nothing, and nothing waits for it.
      void Promise.resolve(page.withdraw(question)).catch(() => undefined);
    };
    signal.addEventListener('abort', withdraw, { once: true });
    try {
      return await page.confirm(request, question);
    } finally {
      signal.removeEventListener('abort', withdraw);
    }
  };
}
