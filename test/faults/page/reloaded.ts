import { open, runtime } from './opened.js';

const WRITERS = 3;
const READERS = 3;

const KEY = 'acknowledged';

/**
 * Writes and reads, several at the same time, without end. Resolves after a while with how many milliseconds
 * it took until there was a first list.
 *
 * @param prefix What the titles of the notes begin with.
 */
export async function writeWithoutEnd(
  databaseName: string,
  prefix: string,
  forMs: number,
): Promise<number> {
  const openedMs = await open(databaseName);
  for (let writer = 0; writer < WRITERS; writer += 1) void writeOn(`${prefix}.${writer}`);
  for (let reader = 0; reader < READERS; reader += 1) void readOn();
  await new Promise((resolve) => setTimeout(resolve, forMs));
  return openedMs;
}

/** The titles of the notes that were acknowledged, by whatever document of this site. */
export function acknowledgedTitles(): string[] {
  return (localStorage.getItem(KEY) ?? '').split('\n').filter(Boolean);
}

async function writeOn(prefix: string): Promise<void> {
  for (let number = 0; ; number += 1) {
    const title = `${prefix}.${number}`;
    await runtime.notes.create({ title, text: title });
    // It outlives the document, whatever moment it ends at.
    localStorage.setItem(KEY, `${localStorage.getItem(KEY) ?? ''}${title}\n`);
  }
}

async function readOn(): Promise<void> {
  for (;;) await runtime.notes.list({ limit: 10 });
}
