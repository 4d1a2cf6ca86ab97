import { REQUEST_TIMEOUT_MS, abortable, checkName, checkWrite, chunks, isName } from './checks.js';
import {
  bytesOf,
  type ChangeRow,
  changeRowOf,
  documentOf,
  invalid,
  type Json,
  listOf,
  numberOf,
  objectOf,
  positionOf,
  REVISION,
  revisionOf,
  type Row,
  rowOf,
  textOf,
  unavailable,
} from './couchdb-answers.js';
import { type Ask, asker, type CouchdbOptions, DOCUMENT_BYTES, ROWS } from './couchdb-requests.js';
import { Writes } from './couchdb-writes.js';
import {
  RemoteError,
  type Remote,
  type RemoteChange,
  type RemotePiece,
  type RemotePieces,
  type RemoteRecord,
  type RemoteState,
  type UnwantedPiece,
} from './remote.js';

export type { CouchdbOptions } from './couchdb-requests.js';

/** The number of documents that are requested first. */
const FIRST_DOCUMENTS = 50;

/**
 * The maximum number of revisions of a record that are read in addition to the winning one; the others come
 * with its next change.
 */
const MAX_RIVALS = 8;

/**
 * The time that the server may keep a poll open, in milliseconds: shorter than the minute after which many
 * proxies close silent connections. PouchDB Server does not know the parameter, so we end the poll ourselves.
 */
const POLL_MS = 50_000;
const POLL_TIMEOUT_MS = POLL_MS + 5_000;

/** The minimum time between two polls, in milliseconds, regardless of the server's answers. */
const POLL_PAUSE_MS = 250;

/** The prefixes of the documents' ids for records and pieces, and the id of the document with the epoch. */
const RECORD = 'r-';
const PIECE = 'p-';
const EPOCH = 'inpage-mcp-sync';

/** The maximum length of an epoch, in characters. */
const MAX_EPOCH_LENGTH = 100;

/**
 * A database of CouchDB, Cloudant or PouchDB Server as a remote. A record is a document with its bytes in
 * base64; a deleted record is a document without bytes, because CouchDB would let anyone overwrite a deleted
 * one without its revision.
 *
 * Cloudant takes documents up to 1 MB, hence records up to 750 kB: a larger one is `invalid` there.
 */
export function couchdbRemote(options: CouchdbOptions): Remote {
  return new CouchdbRemote(asker(options));
}

class CouchdbRemote implements Remote {
  readonly pieces: RemotePieces;
  readonly #ask: Ask;
  readonly #writes: Writes;

  constructor(ask: Ask) {
    this.#ask = ask;
    this.#writes = new Writes(ask);
    this.pieces = new CouchdbPieces(ask);
  }

  async state(signal: AbortSignal): Promise<RemoteState> {
    const epoch = await this.#epoch(signal);
    const position = await this.#position(signal);
    return { epoch, position, changes: numberOf(position) };
  }

  async #epoch(signal: AbortSignal): Promise<string> {
    const path = `/${EPOCH}`;
    let { status, value } = await this.#ask(signal, 'GET', path, { accepts: 404 });
    if (status === 404) {
      // CouchDB lets only administrators request the creation of a database, even if it exists.
      const database = await this.#ask(signal, 'GET', '', { accepts: 404 });
      // 412 means that another device has created it first.
      if (database.status === 404) await this.#ask(signal, 'PUT', '', { accepts: 412 });
      const body = { epoch: crypto.randomUUID() };
      await this.#ask(signal, 'PUT', path, { body, accepts: 409 });
      // Another device may have written the document first.
      ({ value } = await this.#ask(signal, 'GET', path));
    }
    return textOf(value['epoch'], MAX_EPOCH_LENGTH);
  }

  async #position(signal: AbortSignal): Promise<string> {
    const { value } = await this.#ask(signal, 'GET', '');
    return positionOf(value['update_seq']);
  }

  async *since(position: string, signal: AbortSignal): AsyncGenerator<RemoteChange> {
    const end = numberOf(await this.#position(signal));
    let last = positionOf(position || '0');
    while (numberOf(last) < end) {
      const rows = await this.#changes(last, signal);
      yield* this.#records(rows, signal);
      if (rows.length < ROWS) return;
      last = rows.at(-1)?.position ?? last;
    }
  }

  /** A page of changes, without their contents; each has a higher number than the previous one. */
  async #changes(position: string, signal: AbortSignal, isPoll = false): Promise<ChangeRow[]> {
    const poll = isPoll ? `&feed=longpoll&timeout=${POLL_MS}` : '';
    const path = `/_changes?limit=${ROWS}&since=${encodeURIComponent(position)}${poll}`;
    const timeoutMs = isPoll ? POLL_TIMEOUT_MS : REQUEST_TIMEOUT_MS;
    const { value } = await this.#ask(signal, 'GET', path, { timeoutMs });
    const rows = listOf(value['results']).map(changeRowOf);
    let last = numberOf(position);
    for (const row of rows) {
      const number = numberOf(row.position);
      // Otherwise, the reading could start again forever.
      if (number <= last) throw unavailable(`change ${number} comes after change ${last}`);
      last = number;
    }
    return rows;
  }

  async *#records(rows: ChangeRow[], signal: AbortSignal): AsyncGenerator<RemoteChange> {
    const path = '/_all_docs?include_docs=true&conflicts=true';
    let waiting = rows.filter(({ id }) => isRecord(id));
    let count = FIRST_DOCUMENTS;
    let most = ROWS;
    while (waiting.length > 0) {
      const asked = waiting.slice(0, count);
      const body = { keys: asked.map(({ id }) => id) };
      const options = { body, ...(count > 1 && { accepts: 413 }) };
      const { value, status, sizeBytes } = await this.#ask(signal, 'POST', path, options);
      // The body of a refusal may be short, so its size says nothing about that of the documents.
      most = status === 413 ? Math.ceil(asked.length / 8) : Math.min(ROWS, most * 2);
      count = Math.min(most, Math.ceil((asked.length * DOCUMENT_BYTES) / sizeBytes));
      if (status === 413) continue;
      waiting = waiting.slice(asked.length);
      const documents = listOf(value['rows']);
      for (const [index, row] of asked.entries()) {
        const record = await this.#changed(row, objectOf(documents[index]), signal);
        if (record) yield { name: row.id.slice(RECORD.length), position: row.position, ...record };
      }
    }
  }

  /** The record of a change; `undefined` if it has changed since, because that change comes later. */
  async #changed(
    { id, revision, deleted }: ChangeRow,
    row: Json,
    signal: AbortSignal,
  ): Promise<RemoteRecord | undefined> {
    if (deleted) return { version: revision, bytes: null };
    const now = row['id'] === id ? revisionOf(objectOf(row['value'])['rev']) : '0';
    if (now === revision) return await this.#recordOf(row['doc'], id, signal);
    // A replica that is behind has an older revision, which must not be taken for this change.
    if (numberOf(now) <= numberOf(revision)) throw unavailable(`the change of ${id} is not there`);
    return undefined;
  }

  async get(name: string, signal: AbortSignal): Promise<RemoteRecord | undefined> {
    checkName(name);
    const id = RECORD + name;
    const path = `/${id}?conflicts=true`;
    const { status, value } = await this.#ask(signal, 'GET', path, { accepts: 404 });
    return status === 404 ? undefined : await this.#recordOf(value, id, signal);
  }

  /**
   * A record, with the revisions that lost against it: the nodes of a cluster may accept writes
   * independently.
   */
  async #recordOf(document: unknown, id: string, signal: AbortSignal): Promise<RemoteRecord> {
    const { _rev: revision, _conflicts: conflicts = [] } = objectOf(document);
    const bytes = bytesOf(document, id);
    const losers = listOf(conflicts).slice(0, MAX_RIVALS).map(revisionOf);
    const rivals = [];
    for (const loser of losers) {
      const { value } = await this.#ask(signal, 'GET', `/${id}?rev=${loser}`);
      const rival = bytesOf(value, id);
      if (rival) rivals.push(rival);
    }
    const version = [revisionOf(revision), ...losers].join(',');
    return { version, bytes, ...(rivals.length > 0 && { rivals }) };
  }

  async put(
    name: string,
    bytes: Uint8Array | null,
    expected: string,
    signal: AbortSignal,
  ): Promise<string> {
    checkWrite(name, bytes);
    const id = RECORD + name;
    const [revision = '', ...losers] = expected.split(',');
    if (revision !== '' && !REVISION.test(revision))
      throw new RemoteError('conflict', `${name} has no such version.`);
    const written = await this.#writes.write({ _id: id, ...documentOf(bytes, revision) }, signal);
    await deleteRevisions(
      this.#ask,
      losers.map((loser) => ({ id, revision: loser })),
      signal,
    );
    return written;
  }

  async *list(signal: AbortSignal): AsyncGenerator<Pick<RemoteChange, 'name' | 'version'>> {
    yield* listed(this.#ask, RECORD, signal);
  }

  async live(listener: () => void, signal: AbortSignal): Promise<never> {
    let position = await this.#position(signal);
    // This position may be that of a change since the call.
    listener();
    for (;;) {
      const startedAt = performance.now();
      const last = await this.#poll(position, signal);
      if (last !== position) listener();
      position = last;
      const pauseMs = Math.max(0, POLL_PAUSE_MS - (performance.now() - startedAt));
      await abortable(new Promise((resolve) => setTimeout(resolve, pauseMs)), signal);
    }
  }

  /** The position after the next change, or the same after some time without one. */
  async #poll(position: string, signal: AbortSignal): Promise<string> {
    try {
      const rows = await this.#changes(position, signal, true);
      return rows.at(-1)?.position ?? position;
    } catch (error) {
      const cause = error instanceof RemoteError && error.cause;
      if (!(cause instanceof DOMException && cause.name === 'TimeoutError')) throw error;
      // A silent server cannot be distinguished from one that is gone.
      return await this.#position(signal);
    }
  }
}

class CouchdbPieces implements RemotePieces {
  readonly #ask: Ask;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  async get(name: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
    checkName(name);
    const id = PIECE + name;
    const { status, value } = await this.#ask(signal, 'GET', `/${id}`, { accepts: 404 });
    return status === 404 ? undefined : (bytesOf(value, id) ?? undefined);
  }

  async put(name: string, bytes: Uint8Array, signal: AbortSignal, isAgain = false): Promise<void> {
    checkWrite(name, bytes);
    const there = isAgain ? await this.#rows([name], signal) : [];
    // The piece may have been deleted since.
    for (const revision of [...there.map((row) => row.revision), '']) {
      const options = { body: documentOf(bytes, revision), accepts: 409 };
      const { status } = await this.#ask(signal, 'PUT', `/${PIECE}${name}`, options);
      if (status !== 409) return;
    }
  }

  async has(names: readonly string[], signal: AbortSignal): Promise<Set<string>> {
    const found = await this.#rows(names, signal);
    return new Set(found.map(({ id }) => id.slice(PIECE.length)));
  }

  async *list(signal: AbortSignal): AsyncGenerator<RemotePiece> {
    yield* listed(this.#ask, PIECE, signal);
  }

  async delete(pieces: readonly UnwantedPiece[], signal: AbortSignal): Promise<void> {
    const names = pieces.filter(({ version }) => version === undefined).map(({ name }) => name);
    const rows = pieces.flatMap(({ name, version }) => {
      checkName(name);
      return version === undefined ? [] : { id: PIECE + name, revision: revisionOf(version) };
    });
    await deleteRevisions(this.#ask, [...rows, ...(await this.#rows(names, signal))], signal);
  }

  /** The rows of the pieces that exist. */
  async #rows(names: readonly string[], signal: AbortSignal): Promise<Row[]> {
    names.forEach(checkName);
    const found = [];
    for (const chunk of chunks(names, ROWS)) {
      const keys = chunk.map((name) => PIECE + name);
      const { value } = await this.#ask(signal, 'POST', '/_all_docs', { body: { keys } });
      const rows = listOf(value['rows']).map(objectOf);
      const there = rows.filter((row) => 'value' in row && !objectOf(row['value'])['deleted']);
      found.push(...there.map(rowOf).filter(({ id }) => keys.includes(id)));
    }
    return found;
  }
}

/** The names and revisions of the documents with a prefix. */
async function* listed(
  ask: Ask,
  prefix: string,
  signal: AbortSignal,
): AsyncGenerator<{ name: string; version: string }> {
  for (let first = prefix, skip = 0; ; skip = 1) {
    // Other documents of the database may have any id.
    const start = encodeURIComponent(JSON.stringify(first));
    const range = `startkey=${start}&endkey="${prefix}%EF%BF%B0"`;
    const path = `/_all_docs?limit=${ROWS}&skip=${skip}&${range}`;
    const { value } = await ask(signal, 'GET', path);
    const rows = listOf(value['rows']).map(rowOf);
    for (const { id, revision } of rows) {
      const name = id.slice(prefix.length);
      if (id.startsWith(prefix) && isName(name)) yield { name, version: revision };
    }
    const last = rows.at(-1)?.id ?? first;
    if (rows.length < ROWS) return;
    if (last <= first) throw invalid('the same again in its list');
    first = last;
  }
}

/** Deletes revisions permanently; those that no longer exist do not matter. */
async function deleteRevisions(ask: Ask, rows: readonly Row[], signal: AbortSignal): Promise<void> {
  for (const chunk of chunks(rows, ROWS)) {
    const docs = chunk.map(({ id, revision }) => ({ _id: id, _rev: revision, _deleted: true }));
    await ask(signal, 'POST', '/_bulk_docs', { body: { docs } });
  }
}

const isRecord = (id: string): boolean => id.startsWith(RECORD) && isName(id.slice(RECORD.length));
