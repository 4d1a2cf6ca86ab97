import { RuntimeError } from '@inpage-mcp/runtime';
import { openSync, type Remote, type SyncService, type SyncStatus } from '@inpage-mcp/sync';
import { couchdbRemote } from '@inpage-mcp/sync/couchdb';
import { natsRemote } from '@inpage-mcp/sync/nats';
import { open, runtime } from './opened.js';

/** Where the devices meet. */
export interface SyncPlace {
  engine: 'nats' | 'pouchdb';
  port: number;
}

/** One write. Notes are known by their titles, which no other note has. */
export type SyncedCall =
  | { type: 'note'; title: string; text: string }
  | { type: 'deleteNote'; title: string }
  | { type: 'file'; path: string; pattern: string; size: number }
  | { type: 'move'; from: string; to: string }
  | { type: 'deleteFile'; path: string }
  | { type: 'line'; title: string; line: string; position: number }
  | { type: 'keys' };

/** Longer than any real passphrase, and the same on each device. */
const PASSPHRASE = 'correct horse battery staple';
const RETRY_MS = 200;

/** In the soak, more is written in an hour than a server has room for. */
const KEEP_PIECES_MS = 300_000;

let sync: SyncService;

/** Opens the database and its sync, and joins as soon as the server lets it. */
export async function openSynced(
  databaseName: string,
  place: SyncPlace,
  deviceName: string,
): Promise<void> {
  await open(databaseName);
  sync = await openSync({
    databaseName,
    remote: remoteOf(place),
    keepPiecesMs: KEEP_PIECES_MS,
    onstatus: () => undefined,
  });
  void keepJoined(deviceName);
}

/** How the sync is. */
export function syncStatus(): SyncStatus {
  return sync.status;
}

/** Begins a round at once: a test need not wait out the pauses after failures. */
export function syncNow(): void {
  sync.syncNow();
}

/** Does one write. Resolves with whether there was something to write. */
export async function callSynced(call: SyncedCall): Promise<boolean> {
  const { notes, files } = runtime;
  if (call.type === 'file') {
    const content = new Blob([call.pattern.repeat(call.size / call.pattern.length)]);
    await files.write(call.path, content);
  } else if (call.type === 'move') await files.move(call.from, call.to);
  else if (call.type === 'deleteFile') await files.delete(call.path);
  // Nobody has this id: only the keys change.
  else if (call.type === 'keys') await sync.removeDevice('nobody', PASSPHRASE);
  else {
    const id = await idOf(call.title);
    if (call.type === 'line') return id !== undefined && (await addLine(id, call));
    if (call.type === 'deleteNote') await notes.delete(id ?? call.title);
    else if (id === undefined) await notes.create({ title: call.title, text: call.text });
    else await notes.update(id, { text: call.text });
  }
  return true;
}

/**
 * Notes and files: `note TITLE` with the text, and `file PATH` with the digest of the bytes.
 *
 * @param word In the names of those that are read: others may be deleted at any moment. Default: all.
 */
export async function readSynced(word = ''): Promise<[key: string, content: string][]> {
  const entries: [string, string][] = [];
  const { notes } = await runtime.notes.list({ limit: 2_000 });
  for (const { id, title } of notes.filter((note) => note.title.includes(word)))
    entries.push([`note ${title}`, (await runtime.notes.get(id)).text]);
  const { files } = await runtime.files.list({ limit: 2_000 });
  for (const { path } of files.filter((file) => file.path.includes(word))) {
    const { blob } = await runtime.files.read(path);
    const digest = await crypto.subtle.digest('SHA-256', await blob.arrayBuffer());
    entries.push([`file ${path}`, [...new Uint8Array(digest)].join()]);
  }
  return entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function remoteOf({ engine, port }: SyncPlace): Remote {
  const [user, pass] = ['user', 'secret'];
  if (engine === 'nats')
    return natsRemote({ servers: `ws://127.0.0.1:${port}`, credentials: () => ({ user, pass }) });
  const authorization = `Basic ${btoa(`${user}:${pass}`)}`;
  const url = `http://127.0.0.1:${port}/notes`;
  return couchdbRemote({ url, headers: () => ({ authorization }) });
}

/** Joins, and types the passphrase again after the keys were changed. */
async function keepJoined(deviceName: string): Promise<void> {
  for (;;) {
    try {
      const { state } = sync.status;
      if (state === 'off') await sync.join({ secret: PASSPHRASE, deviceName });
      if (state === 'locked') await sync.unlock(PASSPHRASE);
    } catch {
      // The server is away.
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

async function idOf(wanted: string): Promise<string | undefined> {
  const { notes } = await runtime.notes.list({ limit: 2_000 });
  return notes.find(({ title }) => title === wanted)?.id;
}

/** Puts a line somewhere between those of the note. */
async function addLine(
  id: string,
  { line, position }: SyncedCall & { type: 'line' },
): Promise<boolean> {
  for (;;) {
    const { text, revision: expectedRevision } = await runtime.notes.get(id);
    const lines = text.split('\n');
    lines.splice(Math.floor(position * (lines.length + 1)), 0, line);
    try {
      await runtime.notes.update(id, { text: lines.join('\n') }, { expectedRevision });
      return true;
    } catch (error) {
      if (!(error instanceof RuntimeError && error.code === 'conflict')) throw error;
    }
  }
}
