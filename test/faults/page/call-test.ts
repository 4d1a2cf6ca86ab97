/** Calls a function of the test (test/faults/call-line.mjs), with what JSON can carry. */
export async function callTest<Result>(
  address: string,
  name: string,
  ...args: unknown[]
): Promise<Result> {
  const response = await fetch(address, { method: 'POST', body: JSON.stringify({ name, args }) });
  return (await response.json()) as Result;
}
