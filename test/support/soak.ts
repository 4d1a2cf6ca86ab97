/** Whether the run is one with `--soak`; the bundler puts it in. */
declare const SOAK: boolean;

/**
 * The size of a test that is long because of its size: CI has the small one, `npm test -- --soak` and
 * `npm run test:faults -- --soak` the one that is documented.
 */
export const sizeOf = ({ ci, soak }: { ci: number; soak: number }): number => (SOAK ? soak : ci);
