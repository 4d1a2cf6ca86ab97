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

/** The writers of {@link beginWriting}, and what was said of the writes that failed. */
let writers: Promise<void>[] = [];
let writing = new AbortController();
let failures: string[] = [];

/** Writes small and large without end, several at a time, also after some of the writes have failed. */
export function beginWriting(): void {
  const { notes, files } = runtime;
  const many = Array.from({ length: 2_000 }, (_, n) => ({
    title: `${n}`,
    text: 'x'.repeat(1_000),
  }));
  const writes = [
    () => notes.createAll(many),
    () => files.write('large', new Blob(['x'.repeat(20_000_000)])),
    () => notes.create({ title: 'one', text: 'x'.repeat(10_000) }),
    () => files.write('small', new Blob(['x'.repeat(100_000)])),
  ];
  writing = new AbortController();
  failures = [];
  const { signal } = writing;
  writers = writes.map(async (write) => {
    while (!signal.aborted) {
      await write().catch((error: unknown) => failures.push(String(error)));
    }
  });
}

/** Ends what {@link beginWriting} has begun; resolves with what was said of the writes that failed. */
export async function endWriting(): Promise<string[]> {
  writing.abort();
  await Promise.all(writers);
  return failures;
}
