/** Only Chromium has it. */
const dataLoss =
  'IDBVersionChangeEvent' in globalThis
    ? Object.getOwnPropertyDescriptor(IDBVersionChangeEvent.prototype, 'dataLoss')
    : undefined;

let running = 0;

/**
 * Opens a store as browsers do that need no new log at each start. In Chromium, beginning it (docs/decisions/0024)
 * takes longer than most tests, whose browser no one has killed: test/store/database.test.ts tests when it happens,
 * and `npm run test:faults` that it saves the data.
 */
export async function withoutLogRotation<Opened>(open: () => Promise<Opened>): Promise<Opened> {
  if (!dataLoss) return await open();
  running += 1;
  Reflect.deleteProperty(IDBVersionChangeEvent.prototype, 'dataLoss');
  try {
    return await open();
  } finally {
    running -= 1;
    if (running === 0) Object.defineProperty(IDBVersionChangeEvent.prototype, 'dataLoss', dataLoss);
  }
}
