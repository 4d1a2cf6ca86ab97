import type { Confirm, PageEnd } from './control-plane.js';

/** Creates a `Confirm` that asks over the control plane, which cannot transfer signals. */
export function createPageConfirm(page: PageEnd): Confirm {
  let lastQuestion = 0;
  return async (request, { signal }) => {
    lastQuestion += 1;
    const question = lastQuestion;
    const withdraw = (): void => {
      // A page that is gone or frozen receives nothing, so this is not awaited.
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
