import type { McpClient } from '@inpage-mcp/runtime';
import { zipOf, type ZipSource } from '../../../packages/store/src/archive/write-zip.js';
import { type FileEntry, type NoteEntry, readFileEntry, readNoteEntry } from './everything.js';
import { answerOf } from '../../support/database.js';
import { callTest } from './call-test.js';
import { runtime } from './opened.js';

/** A text, or the bytes of a file: a pattern, repeated up to a size. */
export interface Patterned {
  pattern: string;
  size: number;
}

/** One call of a writer. The title of a note never changes: a note is known by its title. */
export type MixedCall =
  | { type: 'create'; title: string; text: Patterned; tags: string[] }
  | { type: 'createAll'; titles: string[] }
  | { type: 'update'; title: string; text: Patterned }
  | { type: 'tag'; title: string; tags: string[] }
  | { type: 'append'; title: string; line: string }
  | { type: 'delete'; title: string }
  | { type: 'write'; path: string; bytes: Patterned }
  | { type: 'prioritise'; path: string; priority: number }
  | { type: 'move'; from: string; to: string }
  | { type: 'remove'; path: string }
  | { type: 'import'; titles: string[]; files: { path: string; bytes: Patterned }[] }
  | { type: 'export' }
  | { type: 'searchNote'; title: string }
  | { type: 'readNote'; title: string }
  | { type: 'readFile'; path: string };

/** What a call resolved with, as far as it is of interest. */
export interface MixedResult {
  /** Of the note or file that was written. */
  revision?: number;
  /** The note that was read. */
  note?: NoteEntry;
  /** The file that was read. */
  file?: FileEntry;
  /** The titles of the notes that were found. */
  titles?: string[];
}

/** The ids of notes by their titles. */
type Ids = Map<string, string>;

/**
 * Calls one after the other for each writer, and all writers at the same time, without end.
 *
 * @param line Where the test is, which says what each of them calls next.
 */
export async function callWithoutEnd(line: string, writers: number[]): Promise<void> {
  const client = await runtime.connect();
  const ids: Ids = new Map();
  await addIds(ids);
  const nextCall = (writer: number, result: MixedResult | null): Promise<MixedCall> =>
    callTest(line, 'nextCall', writer, result);
  const callAsWriter = async (writer: number): Promise<void> => {
    let call = await nextCall(writer, null);
    try {
      for (;;) call = await nextCall(writer, await make(call, ids, client));
    } catch (error) {
      await callTest(line, 'callFailed', writer, `${call.type}: ${String(error)}`);
    }
  };
  await Promise.all(writers.map(callAsWriter));
}

async function addIds(ids: Ids): Promise<void> {
  for (let after: string | undefined; ;) {
    const page = await runtime.notes.list({ limit: 10_000, after });
    for (const { id, title } of page.notes) ids.set(title, id);
    after = page.next;
    if (after === undefined) return;
  }
}

async function make(call: MixedCall, ids: Ids, client: McpClient): Promise<MixedResult> {
  const { notes, files, storage } = runtime;
  switch (call.type) {
    case 'create': {
      const { title, text, tags } = call;
      const { id, revision } = await notes.create({ title, text: patterned(text), tags });
      ids.set(title, id);
      return { revision };
    }
    case 'createAll': {
      const made = await notes.createAll(call.titles.map((title) => ({ title, text: title })));
      for (const { title, id } of made) ids.set(title, id);
      return {};
    }
    case 'update':
      return await notes.update(await idOf(call.title, ids), { text: patterned(call.text) });
    case 'tag':
      return await notes.update(await idOf(call.title, ids), { tags: call.tags });
    case 'append': {
      const id = await idOf(call.title, ids);
      const answer = await client.callTool('append_to_note', { id, text: call.line });
      if (answer.isError) throw new Error(JSON.stringify(answer.content));
      return answer.structuredContent as { revision: number };
    }
    case 'delete':
      await notes.delete(await idOf(call.title, ids));
      return {};
    case 'write':
      return await files.write(call.path, blobOf(call.bytes));
    case 'prioritise':
      return await files.update(call.path, { priority: call.priority });
    case 'move':
      return await files.move(call.from, call.to, { overwrite: true });
    case 'remove':
      await files.delete(call.path);
      return {};
    case 'import': {
      const { skipped } = await storage.importZip(await zipWith(call));
      if (skipped.length > 0) throw new Error(JSON.stringify(skipped));
      return {};
    }
    case 'export':
      await new Response(await storage.exportZip()).blob();
      return {};
    case 'searchNote': {
      const { matches } = await notes.search(call.title);
      return { titles: matches.map(({ note }) => note.title) };
    }
    case 'readNote':
      return { note: await readNoteEntry(await idOf(call.title, ids)) };
    case 'readFile':
      return { file: await readFileEntry(call.path) };
  }
}

/** Notes that were imported have ids that nobody was given: they are listed. */
async function idOf(title: string, ids: Ids): Promise<string> {
  if (!ids.has(title)) await addIds(ids);
  const id = ids.get(title);
  if (id === undefined) throw new Error(`There is no note ${title}.`);
  return id;
}

/** An archive, first with notes as any Markdown files, which become new notes, then with files. */
async function zipWith({ titles, files }: MixedCall & { type: 'import' }): Promise<Blob> {
  async function* sources(): AsyncGenerator<ZipSource> {
    const encoder = new TextEncoder();
    const modifiedAt = Date.now();
    const manifest = JSON.stringify({ format: 'inpage-mcp archive', version: 2 });
    yield { name: 'manifest.jsonl', modifiedAt, content: encoder.encode(manifest) };
    for (const title of titles) {
      yield { name: `notes/${title}.md`, modifiedAt, content: encoder.encode(title) };
    }
    for (const { path, bytes } of files) {
      yield { name: `files/${path}`, modifiedAt, content: blobOf(bytes) };
    }
  }
  const chunks: BlobPart[] = [];
  for await (const chunk of zipOf(sources())) chunks.push(chunk);
  return new Blob(chunks);
}

/** About how large the parts are of which a file is made. */
const PART_BYTES = 2 ** 16;

/** Of the same part again and again: so its bytes are made and copied only once. */
function blobOf({ pattern, size }: Patterned): Blob {
  const part = new Blob([pattern.repeat(Math.ceil(PART_BYTES / pattern.length))]);
  const whole = Array.from({ length: Math.floor(size / part.size) }, () => part);
  return new Blob([...whole, part.slice(0, size % part.size)]);
}

function patterned({ pattern, size }: Patterned): string {
  return pattern.repeat(Math.ceil(size / pattern.length)).slice(0, size);
}

/**
 * How many notes and files a search finds for each word.
 *
 * @param words Of which none is the beginning of another.
 */
export async function countFound(words: string[]): Promise<{ notes: number; files: number }[]> {
  const counts: { notes: number; files: number }[] = [];
  for (const word of words) {
    const notes = await runtime.notes.search(word, { limit: 1 });
    const files = await runtime.files.search(word, { limit: 1 });
    counts.push({ notes: notes.total, files: files.total });
  }
  return counts;
}

/**
 * Waits until the store has done what it does later: everything is indexed for searching, and what was
 * left of uploads is deleted. Gives up after a while; resolves with what is left to do then.
 */
export async function whenTidy(databaseName: string): Promise<string[]> {
  const database = await answerOf(indexedDB.open(databaseName));
  const endsAt = performance.now() + TIDY_MS;
  for (;;) {
    const left = await leftToDo(database);
    if (left.length === 0 || performance.now() > endsAt) {
      database.close();
      return left;
    }
    // No event reports it.
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** How long the store may take: it begins with what was left of uploads three seconds after a start. */
const TIDY_MS = 30_000;

async function leftToDo(database: IDBDatabase): Promise<string[]> {
  const names = ['unindexed', 'search-backlog', 'uploads'];
  const transaction = database.transaction(names);
  const counts = await Promise.all(
    names.map((name) => answerOf(transaction.objectStore(name).count())),
  );
  return names.filter((_, index) => counts[index]! > 0);
}
