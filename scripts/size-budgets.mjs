// What each part may weigh, minified and gzipped, in bytes. A page pays for `transport`, `client`,
// `runtime` and the elements that it uses before it shows anything; the worker loads beside it.

/** @type {Record<string, number>} a part without a budget is only measured */
export const budgets = {
  client: 6_000,
  worker: 110_000,
};
