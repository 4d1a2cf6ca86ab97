/** How much of the tests runs: the bundler puts it in. */
declare const TEST_SIZE: 'quick' | 'all' | 'soak';

/** Whether the run is `npm test` without options: it tests every promise once, in at most five minutes. */
export const isQuick = TEST_SIZE === 'quick';

/**
 * The size of a test that is long because of its size. `npm run test:all` has that of CI; `npm test --
 * --soak` and `npm run test:faults -- --soak` have the one that is documented.
 *
 * @param sizes `quick` is that of `npm test`. Default: the one of CI.
 */
export const sizeOf = (sizes: { quick?: number; ci: number; soak: number }): number =>
  TEST_SIZE === 'soak' ? sizes.soak : isQuick ? (sizes.quick ?? sizes.ci) : sizes.ci;

/** The cases of a test: `npm test` runs the first ones, `npm run test:all` all of them. */
export const casesOf = <Case>(cases: readonly Case[], quickCount = 1): readonly Case[] =>
  isQuick ? cases.slice(0, quickCount) : cases;
