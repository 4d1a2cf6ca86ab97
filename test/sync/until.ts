import { eventually } from '../support/within.js';

/** Waits until something is so; what is not there yet is not so. Rejects after 30 s, with the source of `look`. */
export async function until(look: () => boolean | Promise<boolean>): Promise<void> {
  const isSo = (): Promise<boolean> =>
    Promise.resolve()
      .then(look)
      .catch(() => false);
  await eventually(isSo, String(look));
}
