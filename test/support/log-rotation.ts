/** As the page of the tests (scripts/test-runner) found it, before it took it away. Only Chromium has it. */
declare const dataLoss: PropertyDescriptor | undefined;

/**
 * Lets stores begin a new log, for the suite that calls this: Chromium reports lost data with `dataLoss`, and a
 * store that finds no such report has no log to begin. Other tests do without, because beginning it
 * (docs/decisions/0024) takes longer than most of them; `npm run test:faults` tests that it saves the data.
 */
export function useLogRotation(): void {
  const { prototype } = IDBVersionChangeEvent;

  before(() => {
    if (dataLoss) Object.defineProperty(prototype, 'dataLoss', dataLoss);
  });

  after(() => {
    if (dataLoss) Reflect.deleteProperty(prototype, 'dataLoss');
  });
}
