/** An observer of sizes; `undefined` where nothing has a size, as in jsdom. */
export function observeSizes(onresize: () => void): ResizeObserver | undefined {
  return globalThis.ResizeObserver && new ResizeObserver(onresize);
}
