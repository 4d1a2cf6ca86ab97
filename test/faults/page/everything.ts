import type { NoteSummary, StoredFile } from '@inpage-mcp/runtime';
import { answerOf } from '../../support/database.js';
import { runtime } from './opened.js';

/** All that is stored, and what is wrong with it. */
export interface Everything {
  /** The digest is the SHA-256 of the text. */
  notes: { title: string; revision: number; digest: string }[];
  /** The digest is the SHA-256 of the bytes. */
  files: { path: string; revision: number; digest: string }[];
  /** What does not fit together. */
  problems: string[];
}

const PIECE_BYTES = 2 ** 20;

/** Reads everything through the runtime, and looks past it whether all parts belong together. */
export async function readEverything(databaseName: string): Promise<Everything> {
  const everything: Everything = { notes: [], files: [], problems: [] };
  const notes = await allNotes();
  for (const summary of notes) await addNote(everything, summary);
  const files = await allFiles();
  for (const file of files) await addFile(everything, file);
  await compareStores(everything, databaseName, notes, files);
  return everything;
}

async function allNotes(): Promise<NoteSummary[]> {
  const all: NoteSummary[] = [];
  let page = await runtime.notes.list();
  for (;;) {
    all.push(...page.notes);
    if (page.next === undefined) return all;
    page = await runtime.notes.list({ before: page.next });
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

async function addNote({ notes, problems }: Everything, summary: NoteSummary): Promise<void> {
  const { title, revision } = summary;
  const { text, ...listed } = await runtime.notes.get(summary.id);
  if (JSON.stringify(listed) !== JSON.stringify(summary)) {
    problems.push(`The note ${title} is listed as another.`);
  }
  const bytes = new TextEncoder().encode(text);
  if (bytes.length !== summary.size) {
    problems.push(`The note ${title} has ${bytes.length} bytes of ${summary.size}.`);
  }
  if (notes.some((note) => note.title === title))
    problems.push(`The note ${title} is there twice.`);
  notes.push({ title, revision, digest: await sha256(bytes) });
}

async function addFile({ files, problems }: Everything, listed: StoredFile): Promise<void> {
  const { path, revision, size, digest } = listed;
  const { blob } = await runtime.files.read(path);
  const bytes = new Uint8Array(await blob.arrayBuffer());
  if (bytes.length !== size) problems.push(`${path} has ${bytes.length} bytes of ${size}.`);
  if (digest !== (await digestOfPieces(bytes))) problems.push(`${path} has not its digest.`);
  files.push({ path, revision, digest: await sha256(bytes) });
}

/** As the store describes it: of the digests of the pieces, one after the other. */
async function digestOfPieces(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
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
  same('transactions in the log', logged.length, Math.min(head.sequence, 10_000));
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
