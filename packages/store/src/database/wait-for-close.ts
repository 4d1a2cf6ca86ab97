/** The maximum time of the wait for the ends of transactions. */
const LAST_TRANSACTIONS_MS = 1_000;

/**
 * Resolves once the transactions have ended and the browser has processed earlier calls of `close`: it
 * answers in order. If a worker ends before that, WebKit (2.50) may never close the connection, and the
 * database can be neither deleted nor upgraded until the page is closed. Remove this when that bug is
 * fixed.
 */
export async function waitForClose(transactions: readonly Promise<void>[]): Promise<void> {
  // A transaction of a lost connection may never end.
  await new Promise<unknown>((resolve) => {
    const timer = setTimeout(resolve, LAST_TRANSACTIONS_MS);
    void Promise.allSettled(transactions)
      .then(resolve)
      .finally(() => clearTimeout(timer));
  });
  // Firefox before 126 does not have this method.
  const { databases }: { databases?: () => Promise<unknown> } = indexedDB;
  await databases?.call(indexedDB);
}
