/** An observer of sizes; `undefined` if elements have no sizes, as in jsdom. */
export function observeSizes(onresize: () => void): ResizeObserver | undefined {
  return globalThis.ResizeObserver && new ResizeObserver(onresize);
}
