// What each part may weigh, minified and gzipped, in bytes. A page pays for `transport`, `client`,
// `runtime` and the elements that it uses before it shows anything; the worker loads beside it.

/** @type {Record<string, number>} a part without a budget is only measured */
export const budgets = {
  transport: 1_500,
  'transport, in a frame': 3_200,
  'transport, all of it': 6_500,
  // A good kB of it are the names and types of all fields that a server may get wrong.
  client: 6_600,
  'client, for questions later': 1_000,
  // It holds transport, client and comlink: all that a page needs without elements.
  runtime: 14_000,
  'runtime, for frames later': 3_800,
  elements: 28_000,
  'elements without lit': 12_000,
  worker: 153_000,
};
