import type { Note, NoteSummary, StoredFile } from '@inpage-mcp/runtime';
import { answerOf } from '../../support/database.js';
import { runtime } from './opened.js';

/** A note as it was read. */
export interface NoteEntry {
  title: string;
  revision: number;
  tags: string[];
  /** The text, or the digest of a long one, as the store makes that of a file. */
  content: string;
}

/** A file as it was read. */
export interface FileEntry {
  path: string;
  revision: number;
  priority?: number;
  /** The digest of the bytes, as the store makes it. */
  content: string;
}

/** All that is stored, and what is wrong with it. */
export interface Everything {
  notes: NoteEntry[];
  files: FileEntry[];
  /** What does not fit together. */
  problems: string[];
}

const PIECE_BYTES = 2 ** 20;

/** How many of the last transactions the log has at least. */
const MAX_LOGGED = 1_000;

/** So many of the notes, the newest, are read through the runtime, the others past it: that is faster. */
const NEWEST_NOTES = 100;

/** From how many code units on a text is represented by its digest. */
const LONG_TEXT = 1_000;

/** Lists everything through the runtime, reads it, and looks whether all parts belong together. */
export async function readEverything(databaseName: string): Promise<Everything> {
  const everything: Everything = { notes: [], files: [], problems: [] };
  const notes = await allNotes();
  await addNotes(everything, databaseName, notes);
  const files = await allFiles();
  for (const file of files) await addFile(everything, file);
  await compareStores(everything, databaseName, notes, files);
  return everything;
}

async function allNotes(): Promise<NoteSummary[]> {
  const all: NoteSummary[] = [];
  let page = await runtime.notes.list({ limit: 2_000 });
  for (;;) {
    all.push(...page.notes);
    if (page.next === undefined) return all;
    page = await runtime.notes.list({ after: page.next, limit: 2_000 });
  }
}

async function allFiles(): Promise<StoredFile[]> {
  const all: StoredFile[] = [];
  let page = await runtime.files.list();
  for (;;) {
    all.push(...page.files);
    if (page.next === undefined) return all;
    page = await runtime.files.list({ after: page.next });
  }
}

async function addNotes(
  { notes, problems }: Everything,
  databaseName: string,
  summaries: readonly NoteSummary[],
): Promise<void> {
  const texts = await readTexts(databaseName);
  const all = summaries.map((summary) => ({ ...summary, text: texts.get(summary.id) ?? '' }));
  for (const note of all.slice(0, NEWEST_NOTES)) {
    const read = await runtime.notes.get(note.id);
    if (JSON.stringify(sorted(read)) === JSON.stringify(sorted(note))) continue;
    problems.push(`The note ${note.title} is listed as another.`);
  }
  for (const note of all) notes.push(await checkedEntry(note, problems));
  const titles = new Set<string>();
  for (const { title } of notes) {
    if (titles.has(title)) problems.push(`The note ${title} is there twice.`);
    titles.add(title);
  }
}

/** The texts of all notes by their ids. */
async function readTexts(databaseName: string): Promise<Map<string, string>> {
  const database = await answerOf(indexedDB.open(databaseName));
  const store = database.transaction('note-texts').objectStore('note-texts');
  const [ids, texts] = await Promise.all([answerOf(store.getAllKeys()), answerOf(store.getAll())]);
  database.close();
  return new Map(ids.map((id, index) => [id as string, texts[index] as string]));
}

/** The members in the order of their names. */
function sorted(note: Note): [string, unknown][] {
  return Object.entries(note).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

async function checkedEntry(note: Note, problems: string[]): Promise<NoteEntry> {
  const { length } = new TextEncoder().encode(note.text);
  if (length !== note.size) {
    problems.push(`The note ${note.title} has ${length} bytes of ${note.size}.`);
  }
  return await noteEntry(note);
}

/** The note of an id, as a part of {@link Everything}. */
export async function readNoteEntry(id: string): Promise<NoteEntry> {
  return await noteEntry(await runtime.notes.get(id));
}

async function noteEntry({ title, revision, tags, text }: Note): Promise<NoteEntry> {
  const isLong = text.length > LONG_TEXT;
  const content = isLong ? await digestOf(new TextEncoder().encode(text)) : text;
  return { title, revision, tags, content };
}

async function addFile({ files, problems }: Everything, listed: StoredFile): Promise<void> {
  const { path, size, digest } = listed;
  const { file, blob } = await runtime.files.read(path);
  if (JSON.stringify(file) !== JSON.stringify(listed)) {
    problems.push(`${path} is listed as another.`);
  }
  const entry = await fileEntry(file, blob);
  if (blob.size !== size) problems.push(`${path} has ${blob.size} bytes of ${size}.`);
  if (entry.content !== digest) problems.push(`${path} has not its digest.`);
  files.push(entry);
}

/** The file of a path, as a part of {@link Everything}. */
export async function readFileEntry(path: string): Promise<FileEntry> {
  const { file, blob } = await runtime.files.read(path);
  return await fileEntry(file, blob);
}

async function fileEntry({ path, revision, priority }: StoredFile, blob: Blob): Promise<FileEntry> {
  const content = await digestOf(new Uint8Array(await blob.arrayBuffer()));
  const entry = { path, revision, content };
  return priority === undefined ? entry : { ...entry, priority };
}

/** The SHA-256 of the SHA-256 digests of the pieces, one after the other. */
async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digests: Uint8Array<ArrayBuffer>[] = [];
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    const piece = bytes.subarray(start, start + PIECE_BYTES);
    digests.push(new Uint8Array(await crypto.subtle.digest('SHA-256', piece)));
  }
  return await sha256(new Uint8Array(await new Blob(digests).arrayBuffer()));
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Looks at the object stores themselves: every part has its record, and the counts are right. */
async function compareStores(
  { problems }: Everything,
  databaseName: string,
  notes: NoteSummary[],
  files: StoredFile[],
): Promise<void> {
  const database = await answerOf(indexedDB.open(databaseName));
  const transaction = database.transaction([...database.objectStoreNames]);
  const keysOf = (store: string) => answerOf(transaction.objectStore(store).getAllKeys());
  const head = await answerOf(transaction.objectStore('head').get('head') as IDBRequest<Head>);
  const same = (name: string, found: unknown, expected: unknown): void => {
    if (JSON.stringify(found) !== JSON.stringify(expected)) {
      problems.push(`${name}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
    }
  };
  same('notes that the head counts', head.notes, notes.length);
  same('files that the head counts', head.files, files.length);
  same('texts', await keysOf('note-texts'), notes.map(({ id }) => id).toSorted());
  same('bytes', await keysOf('file-bytes'), files.map(({ path }) => path).toSorted());
  const logged = await keysOf('log');
  same('the last transaction in the log', logged.at(-1) ?? 0, head.sequence);
  const count = Math.min(head.sequence, MAX_LOGGED);
  const last = logged.filter((sequence) => (sequence as number) > head.sequence - count);
  same('transactions in the log', last.length, count);
  const bytes = await answerOf(transaction.objectStore('file-bytes').getAll());
  const uploads = (await keysOf('uploads')) as string[];
  const contents = (bytes as { content?: string }[]).flatMap(({ content }) => content ?? []);
  const known = new Set([...contents, ...uploads]);
  const pieces = (await keysOf('file-pieces')) as [string, number][];
  same(
    'pieces of no file',
    pieces.filter(([content]) => !known.has(content)),
    [],
  );
  database.close();
}

interface Head {
  sequence: number;
  notes: number;
  files: number;
}
