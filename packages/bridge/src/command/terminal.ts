import { createInterface } from 'node:readline/promises';

/**
 * Asks a question in the terminal that is answered with yes or no. Writes nothing to stdout.
 *
 * @returns Whether the answer is yes; `undefined` if the signal aborts, or the terminal closes.
 */
export async function askYesNo(
  question: string,
  signal?: AbortSignal,
): Promise<boolean | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} [y/N] `, signal ? { signal } : {});
    return /^y(es)?$/i.test(answer.trim());
  } catch {
    return undefined;
  } finally {
    terminal.close();
  }
}
