import { RuntimeError } from '@inpage-mcp/runtime';
import { runtime } from './opened.js';

/** What a call came to: `ok`, the code of its error, or what was thrown without one. */
export type CallResult = string;

const LARGE = 220_000;

/**
 * Writes some small notes and files, and one of each that is kept in a file of its own; resolves with
 * what is in a text, in the bytes of a file and in the record of a note, and nowhere else. The large
 * ones do not compress, as Chromium may do that first.
 */
export async function writeSmallAndLarge(): Promise<{
  text: string;
  bytes: string;
  record: string;
}> {
  const [text, bytes, tag] = [letters(LARGE), letters(2 * LARGE), letters(60)];
  for (const title of ['Small 1', 'Small 2']) await runtime.notes.create({ title, text: title });
  await runtime.notes.create({ title: 'Tagged', text: '', tags: [tag] });
  await runtime.notes.create({ title: 'Large', text: `\n${text}` });
  await runtime.files.write('small.txt', new Blob(['small']));
  await runtime.files.write('large.bin', new Blob([bytes]));
  return { text: text.slice(-64), bytes: bytes.slice(0, 64), record: tag };
}

function letters(length: number): string {
  const drawn = Array.from({ length }, () => 97 + Math.floor(Math.random() * 26));
  return drawn.map((code) => String.fromCharCode(code)).join('');
}

/** Writes one more note. */
export async function writeOneMore(title: string): Promise<void> {
  await runtime.notes.create({ title, text: 'one more' });
}

/** Reads each note and file; resolves with the outcomes by name. */
export async function readEach(): Promise<{ [name: string]: CallResult }> {
  const results: { [name: string]: CallResult } = {};
  const { notes } = await runtime.notes.list();
  for (const { id, title, size } of notes) {
    results[title] = await resultOf(async () => {
      const { text } = await runtime.notes.get(id);
      if (text.length !== size) throw new Error(`${text.length} of ${size} letters`);
    });
  }
  const { files } = await runtime.files.list();
  for (const { path, size } of files) {
    results[path] = await resultOf(async () => {
      const { blob } = await runtime.files.read(path);
      const { byteLength } = await blob.arrayBuffer();
      if (byteLength !== size) throw new Error(`${byteLength} of ${size} bytes`);
    });
  }
  return results;
}

/** What `files.verify` says of a file: its result as JSON, or the code of its error. */
export async function verifyFile(path: string): Promise<string> {
  try {
    return JSON.stringify(await runtime.files.verify(path));
  } catch (error) {
    return describeError(error);
  }
}

/** Searches while something cannot be read. */
export async function searchTitles(query: string): Promise<string[]> {
  const { matches } = await runtime.notes.search(query);
  return matches.map(({ note }) => note.title).toSorted();
}

async function resultOf(read: () => Promise<void>): Promise<CallResult> {
  try {
    await read();
    return 'ok';
  } catch (error) {
    return describeError(error);
  }
}

function describeError(error: unknown): string {
  return error instanceof RuntimeError ? error.code : String(error);
}
