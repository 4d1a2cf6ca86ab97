/** What is reported as an error that nobody caught while `run` runs. */
export async function reportedErrors(run: () => Promise<void>): Promise<unknown[]> {
  const { reportError } = globalThis;
  const reported: unknown[] = [];
  globalThis.reportError = (error) => reported.push(error);
  try {
    await run();
  } finally {
    globalThis.reportError = reportError;
  }
  return reported;
}
