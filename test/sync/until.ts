/** In ms: servers of a cluster that have lost their leader choose another one first. */
const PATIENCE_MS = 120_000;

/** Waits until something is so; what is not there yet is not so. Rejects after two minutes, with the source of `look`. */
export async function until(look: () => boolean | Promise<boolean>): Promise<void> {
  for (const endMs = performance.now() + PATIENCE_MS; performance.now() < endMs;) {
    const isSo = await Promise.resolve()
      .then(look)
      .catch(() => false);
    if (isSo) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`Not within ${PATIENCE_MS / 1_000} s: ${String(look)}`);
}
