import { RuntimeError } from '@inpage-mcp/runtime';
import { answerOf } from '../../support/database.js';
import { runtime } from './opened.js';

/** What came of writing until there was no room. */
export interface NoRoom {
  /** The titles of the notes and the paths of the files that were acknowledged. */
  acknowledged: string[];
  /** How the others failed, and how long each took to fail. */
  failures: { name: string; code: string; message: string; tookMs: number }[];
  /** What failed that must not: a read, a deletion. */
  problems: string[];
}

/** How many writes in a row have to fail for there to be no room. */
const ENOUGH_FAILURES = 3;

/** Of each size: ends what would go on for ever. */
const MAX_WRITES = 100;

/** What does not compress. */
function noise(bytes: number): Uint8Array<ArrayBuffer> {
  const noise = new Uint8Array(bytes);
  for (let start = 0; start < bytes; start += 65_536) {
    crypto.getRandomValues(noise.subarray(start, start + 65_536));
  }
  return noise;
}

/** The same as a text: each byte as one letter. */
function noiseText(length: number): string {
  return Array.from(noise(length), (byte) => String.fromCharCode(0x100 + byte)).join('');
}

/**
 * Writes notes and files by turns until several in a row fail, and then smaller ones, until the
 * smallest fail.
 *
 * @param prefix What the names begin with.
 * @param sizesBytes How large, the largest first.
 */
export async function writeUntilFull(prefix: string, sizesBytes: number[]): Promise<NoRoom> {
  const result: NoRoom = { acknowledged: [], failures: [], problems: [] };
  for (const sizeBytes of sizesBytes) {
    let inRow = 0;
    for (let index = 0; index < MAX_WRITES && inRow < ENOUGH_FAILURES; index += 1) {
      const name = `${prefix} size ${sizeBytes} write ${index}`;
      const startedAt = performance.now();
      try {
        await writeOne(name, index, sizeBytes);
        result.acknowledged.push(name);
        inRow = 0;
      } catch (error) {
        inRow += 1;
        result.failures.push({
          name,
          ...describeError(error),
          tookMs: performance.now() - startedAt,
        });
        await checkReads(result);
        // What did not answer in time would not do so the next time either.
        if (result.failures.at(-1)?.code === 'timeout') return result;
      }
    }
  }
  return result;
}

async function writeOne(name: string, index: number, sizeBytes: number): Promise<void> {
  if (index % 2 === 0) await runtime.files.write(name, new Blob([noise(sizeBytes)]));
  else await runtime.notes.create({ title: name, text: noiseText(sizeBytes / 4) });
}

function describeError(error: unknown): { code: string; message: string } {
  if (error instanceof RuntimeError) return { code: error.code, message: error.message };
  return { code: 'untyped', message: String(error) };
}

/** Small reads go on while there is no room. */
async function checkReads({ acknowledged, problems }: NoRoom): Promise<void> {
  try {
    const { notes } = await runtime.notes.list({ limit: 10_000 });
    const [note] = notes;
    if (note) await runtime.notes.get(note.id);
    const { files } = await runtime.files.list({ limit: 10_000 });
    const [file] = files;
    if (file) await (await runtime.files.read(file.path)).blob.slice(0, 100).arrayBuffer();
    const names = new Set([...notes.map(({ title }) => title), ...files.map(({ path }) => path)]);
    const lost = acknowledged.filter((name) => !names.has(name));
    if (lost.length > 0) problems.push(`Acknowledged and not listed: ${lost.join()}`);
  } catch (error) {
    problems.push(`A read failed: ${JSON.stringify(describeError(error))}`);
  }
}

/** How long it is waited for, in milliseconds. */
const ROOM_KEPT_MS = 20_000;

/**
 * Waits until the store has taken the room that it keeps for deletions. Firefox writes so much itself
 * when it starts that there may be none.
 */
export async function whenRoomIsKept(databaseName: string): Promise<void> {
  const database = await answerOf(indexedDB.open(databaseName));
  const count = () => answerOf(database.transaction('ballast').objectStore('ballast').count());
  const endsAt = performance.now() + ROOM_KEPT_MS;
  // No event reports it.
  while ((await count()) === 0 && performance.now() < endsAt)
    await new Promise((resolve) => setTimeout(resolve, 100));
  database.close();
}

/** Resolves with whether the browser promises not to delete the data by itself. */
export async function keepFromEviction(): Promise<boolean> {
  return await navigator.storage.persist();
}

/** Deletes everything; resolves with how it failed, or undefined. */
export async function clear(): Promise<{ code: string; message: string } | undefined> {
  try {
    await runtime.storage.clear();
    return undefined;
  } catch (error) {
    return describeError(error);
  }
}

/** Deletes notes and files by their names, up to the first deletion that fails, and says which and how. */
export async function deleteNamed(
  names: string[],
): Promise<{ deleted: string[]; failure?: { code: string; message: string } }> {
  const deleted: string[] = [];
  try {
    const { notes } = await runtime.notes.list({ limit: 10_000 });
    for (const { id, title } of notes) {
      if (!names.includes(title)) continue;
      await runtime.notes.delete(id);
      deleted.push(title);
    }
    const { files } = await runtime.files.list({ limit: 10_000 });
    for (const { path } of files) {
      if (!names.includes(path)) continue;
      await runtime.files.delete(path);
      deleted.push(path);
    }
    return { deleted };
  } catch (error) {
    return { deleted, failure: describeError(error) };
  }
}

/**
 * Writes one small note, again and again until it is acknowledged, for up to 20 seconds; resolves with
 * how the last failed, or undefined. The browser looks only now and then how much room there is.
 */
export async function writeAgain(
  title: string,
): Promise<{ code: string; message: string } | undefined> {
  const endsAt = performance.now() + 20_000;
  for (;;) {
    try {
      await runtime.notes.create({ title, text: 'there is room' });
      return undefined;
    } catch (error) {
      if (performance.now() > endsAt) return describeError(error);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}

/** The names of all notes and files, whose texts and bytes can be read. */
export async function readNames(): Promise<string[]> {
  const names: string[] = [];
  const { notes } = await runtime.notes.list({ limit: 10_000 });
  for (const { id, title, size } of notes) {
    const { text } = await runtime.notes.get(id);
    if (new TextEncoder().encode(text).length === size) names.push(title);
  }
  const { files } = await runtime.files.list({ limit: 10_000 });
  for (const { path, size } of files) {
    const { blob } = await runtime.files.read(path);
    if ((await blob.arrayBuffer()).byteLength === size) names.push(path);
  }
  return names;
}
