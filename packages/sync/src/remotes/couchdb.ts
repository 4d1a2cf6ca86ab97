import { fromBase64 } from '@inpage-mcp/encoding';
import { REQUEST_TIMEOUT_MS, abortable, checkName, checkWrite, chunks, isName } from './checks.js';
import {
  MAX_RECORD_BYTES,
  RemoteError,
  type Remote,
  type RemoteChange,
  type RemoteErrorCode,
  type RemotePieces,
  type RemoteRecord,
  type RemoteState,
} from './remote.js';

/** How to reach a database. */
export interface CouchdbOptions {
  /** The address of the user's own database, as `https://host/name`; it is created where it is missing. */
  url: string | URL;
  /** The headers of a request, as `Authorization`. Called for each. Default: no headers. */
  headers?: () => HeadersInit | Promise<HeadersInit>;
  /** Default: the global one. */
  fetch?: typeof fetch;
}

/** The longest answer that is read, in bytes. */
const MAX_ANSWER_BYTES = 16_000_000;

/** How many rows are asked for at once, each some hundred bytes. */
const ROWS = 1_000;

/** How many documents are asked for first, and how many bytes the next answers aim at. */
const FIRST_DOCUMENTS = 50;
const DOCUMENT_BYTES = 2_000_000;

/** How many revisions that lost against another are read of a record; others come with its next change. */
const MAX_RIVALS = 8;

/**
 * How long the server may keep a poll open, in milliseconds: shorter than the minute after which many
 * proxies end what is silent. PouchDB Server does not know the parameter, so we end the poll ourselves.
 */
const POLL_MS = 50_000;
const POLL_TIMEOUT_MS = POLL_MS + 5_000;

/** The shortest time between two polls, in milliseconds, whatever the server answers. */
const POLL_PAUSE_MS = 250;

/** The ids of the documents: before the names of records and pieces, and of the one with the epoch. */
const RECORD = 'r-';
const PIECE = 'p-';
const EPOCH = 'inpage-mcp-sync';

/** The longest ids of documents and of epochs, in characters. */
const MAX_ID_LENGTH = 1_000;
const MAX_EPOCH_LENGTH = 100;

/** A revision as CouchDB and PouchDB write it. */
const REVISION = /^[1-9]\d{0,14}-\w{1,64}$/;

type Json = Record<string, unknown>;

interface Answer {
  status: number;
  value: Json;
  sizeBytes: number;
}

interface AskOptions {
  /** A value of JSON. */
  body?: unknown;
  /** A status that is no error here, beside those of success. */
  accepts?: number;
  timeoutMs?: number;
}

/** A request to the database, bounded in time and size; its errors are those of a remote. */
type Ask = (
  signal: AbortSignal,
  method: string,
  path: string,
  options?: AskOptions,
) => Promise<Answer>;

/** A document that waits to be written. */
interface Write {
  document: Json;
  signal: AbortSignal;
  resolve: (revision: string) => void;
  reject: (error: unknown) => void;
}

/** A row of `_changes` or `_all_docs`. */
interface Row {
  id: string;
  revision: string;
}

interface ChangeRow extends Row {
  deleted: boolean;
  position: string;
}

/**
 * A database of CouchDB, Cloudant or PouchDB Server as a remote. A record is a document with its bytes in
 * base64; a deleted record is a document without bytes, because CouchDB would let anybody write over a
 * deleted one without its revision.
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
      // CouchDB lets only administrators ask for a database to be made, even where it is there.
      const database = await this.#ask(signal, 'GET', '', { accepts: 404 });
      // 412: another device was first.
      if (database.status === 404) await this.#ask(signal, 'PUT', '', { accepts: 412 });
      const body = { epoch: crypto.randomUUID() };
      await this.#ask(signal, 'PUT', path, { body, accepts: 409 });
      // Another device may have been first.
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

  /** A page of changes, without what they say; each has a higher number than the one before it. */
  async #changes(position: string, signal: AbortSignal, isPoll = false): Promise<ChangeRow[]> {
    const poll = isPoll ? `&feed=longpoll&timeout=${POLL_MS}` : '';
    const path = `/_changes?limit=${ROWS}&since=${encodeURIComponent(position)}${poll}`;
    const timeoutMs = isPoll ? POLL_TIMEOUT_MS : REQUEST_TIMEOUT_MS;
    const { value } = await this.#ask(signal, 'GET', path, { timeoutMs });
    const rows = listOf(value['results']).map(changeRowOf);
    let last = numberOf(position);
    for (const row of rows) {
      const number = numberOf(row.position);
      // Else it could begin again for ever.
      if (number <= last) throw unavailable(`change ${number} comes after change ${last}`);
      last = number;
    }
    return rows;
  }

  async *#records(rows: ChangeRow[], signal: AbortSignal): AsyncGenerator<RemoteChange> {
    const path = '/_all_docs?include_docs=true&conflicts=true';
    let waiting = rows.filter(({ id }) => isRecord(id));
    let count = FIRST_DOCUMENTS;
    while (waiting.length > 0) {
      const asked = waiting.slice(0, count);
      const body = { keys: asked.map(({ id }) => id) };
      const options = { body, ...(count > 1 && { accepts: 413 }) };
      const { value, status, sizeBytes } = await this.#ask(signal, 'POST', path, options);
      count = Math.min(ROWS, Math.ceil((asked.length * DOCUMENT_BYTES) / sizeBytes));
      if (status === 413) continue;
      waiting = waiting.slice(asked.length);
      const documents = listOf(value['rows']);
      for (const [index, row] of asked.entries()) {
        const record = await this.#changed(row, objectOf(documents[index]), signal);
        if (record) yield { name: row.id.slice(RECORD.length), position: row.position, ...record };
      }
    }
  }

  /** The record of a change; `undefined` where it has changed since, which comes later. */
  async #changed(
    { id, revision, deleted }: ChangeRow,
    row: Json,
    signal: AbortSignal,
  ): Promise<RemoteRecord | undefined> {
    if (deleted) return { version: revision, bytes: null };
    const now = row['id'] === id ? revisionOf(objectOf(row['value'])['rev']) : '0';
    if (now === revision) return await this.#recordOf(row['doc'], id, signal);
    // A replica that is behind has an older one, which must not be taken for this change.
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

  /** A record, with those that lost against it: the nodes of a cluster accept writes apart. */
  async #recordOf(document: unknown, id: string, signal: AbortSignal): Promise<RemoteRecord> {
    const { _id: found, _rev: revision, _conflicts: conflicts = [] } = objectOf(document);
    if (found !== id) throw invalid(`another document as ${id}`);
    const losers = listOf(conflicts).slice(0, MAX_RIVALS).map(revisionOf);
    const rivals = [];
    for (const loser of losers) {
      const { value } = await this.#ask(signal, 'GET', `/${id}?rev=${loser}`);
      const bytes = bytesOf(value);
      if (bytes) rivals.push(bytes);
    }
    const version = [revisionOf(revision), ...losers].join(',');
    return { version, bytes: bytesOf(document), ...(rivals.length > 0 && { rivals }) };
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
    for (let first = RECORD, skip = 0; ; skip = 1) {
      const range = `startkey="${encodeURIComponent(first)}"&endkey="${RECORD}%EF%BF%B0"`;
      const path = `/_all_docs?limit=${ROWS}&skip=${skip}&${range}`;
      const { value } = await this.#ask(signal, 'GET', path);
      const rows = listOf(value['rows']).map(rowOf);
      for (const { id, revision } of rows)
        if (isRecord(id)) yield { name: id.slice(RECORD.length), version: revision };
      const last = rows.at(-1)?.id ?? first;
      if (rows.length < ROWS) return;
      if (last <= first) throw invalid('the same again in its list');
      first = last;
    }
  }

  async live(listener: () => void, signal: AbortSignal): Promise<never> {
    let position = await this.#position(signal);
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
      // A server that is silent and one that is gone look alike.
      return await this.#position(signal);
    }
  }
}

/** Writes documents, those together that come while a request is on its way. */
class Writes {
  readonly #ask: Ask;
  #waiting: Write[] = [];
  #isWriting = false;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** @returns the revision */
  async write(document: Json, signal: AbortSignal): Promise<string> {
    const written = new Promise<string>((resolve, reject) => {
      this.#waiting.push({ document, signal, resolve, reject });
    });
    void this.#writeAll();
    return await abortable(written, signal);
  }

  async #writeAll(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const group = this.#next();
      try {
        const rows = group.length > 1 ? await this.#writeGroup(group) : [];
        await Promise.all(group.map((write, index) => this.#finish(write, rows[index])));
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#isWriting = false;
  }

  /** The writes that wait and are still wanted, as many as fit into a request. */
  #next(): Write[] {
    let bytes = 0;
    const fits = ({ document }: Write): boolean =>
      (bytes += String(document['bytes']).length) <= DOCUMENT_BYTES;
    this.#waiting = this.#waiting.filter(({ signal }) => !signal.aborted);
    const end = this.#waiting.findIndex((write, index) => index > 0 && !fits(write));
    return this.#waiting.splice(0, end < 0 ? ROWS : end);
  }

  /** The answers to the writes; none where the server takes no such request. */
  async #writeGroup(group: readonly Write[]): Promise<unknown[]> {
    const body = { docs: group.map(({ document }) => document) };
    const { signal } = new AbortController();
    try {
      return listOf((await this.#ask(signal, 'POST', '/_bulk_docs', { body })).value);
    } catch (error) {
      if (error instanceof RemoteError && error.code === 'invalid') return [];
      throw error;
    }
  }

  /** Writes alone what was not written with others: then the server says why. */
  async #finish({ document, signal, resolve, reject }: Write, row: unknown = {}): Promise<void> {
    const { _id: id, ...body } = document;
    try {
      let { rev } = objectOf(row);
      if (rev === undefined)
        rev = (await this.#ask(signal, 'PUT', `/${String(id)}`, { body })).value['rev'];
      resolve(revisionOf(rev));
    } catch (error) {
      reject(error);
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
    const path = `/${PIECE}${name}`;
    const { status, value } = await this.#ask(signal, 'GET', path, { accepts: 404 });
    return status === 404 ? undefined : (bytesOf(value) ?? undefined);
  }

  async put(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    checkWrite(name, bytes);
    const body = documentOf(bytes, '');
    await this.#ask(signal, 'PUT', `/${PIECE}${name}`, { body, accepts: 409 });
  }

  async has(names: readonly string[], signal: AbortSignal): Promise<Set<string>> {
    const found = await this.#rows(names, signal);
    return new Set(found.map(({ id }) => id.slice(PIECE.length)));
  }

  async delete(names: readonly string[], signal: AbortSignal): Promise<void> {
    await deleteRevisions(this.#ask, await this.#rows(names, signal), signal);
  }

  /** Those that are there. */
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

/** Deletes revisions for good; those that are no longer there do not matter. */
async function deleteRevisions(ask: Ask, rows: readonly Row[], signal: AbortSignal): Promise<void> {
  for (const chunk of chunks(rows, ROWS)) {
    const docs = chunk.map(({ id, revision }) => ({ _id: id, _rev: revision, _deleted: true }));
    await ask(signal, 'POST', '/_bulk_docs', { body: { docs } });
  }
}

function asker({ url, headers = () => ({}), fetch = globalThis.fetch }: CouchdbOptions): Ask {
  const base = String(url).replace(/\/+$/, '');

  async function exchange(path: string, init: RequestInit): Promise<Answer> {
    const all = new Headers(await headers());
    all.set('content-type', 'application/json');
    const response = await fetch(base + path, { ...init, headers: all });
    const text = await textUpTo(response, MAX_ANSWER_BYTES);
    // As a server refuses a body that is too large.
    if (text === undefined) return { status: 413, value: {}, sizeBytes: 8 * MAX_ANSWER_BYTES };
    return { status: response.status, value: parsed(text, response.ok), sizeBytes: text.length };
  }

  return async (caller, method, path, { body, accepts, timeoutMs = REQUEST_TIMEOUT_MS } = {}) => {
    const signal = AbortSignal.any([caller, AbortSignal.timeout(timeoutMs)]);
    const init = { method, signal, cache: 'no-store', body: JSON.stringify(body) ?? null } as const;
    let answer: Answer;
    try {
      answer = await abortable(exchange(path, init), signal);
    } catch (error) {
      caller.throwIfAborted();
      if (error instanceof RemoteError) throw error;
      throw unavailable(`no answer to ${method} ${path}`, error);
    }
    const { status, value } = answer;
    if (status < 300 || status === accepts) return answer;
    const said = JSON.stringify(value).slice(0, 200);
    throw new RemoteError(codeOf(status, said), `${method} ${path}: ${status} ${said}`);
  };
}

/** The text of a body; `undefined`, without the rest, where it is longer. */
async function textUpTo(response: Response, maxBytes: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = '';
  let sizeBytes = 0;
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    sizeBytes += part.value.length;
    if (sizeBytes > maxBytes) {
      await reader?.cancel();
      return undefined;
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}

/** The object in a body; one of an error may say anything. */
function parsed(text: string, isSuccess: boolean): Json {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    if (!isSuccess) return {};
    throw isCut(text) ? unavailable('its answer breaks off') : invalid('no JSON');
  }
}

/** In WebKit, the body of a server that dies ends like any other: a heart may have beaten, and braces are open. */
function isCut(text: string): boolean {
  const outside = text.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"?/gs, '');
  return /^\s+$/.test(text) || outside.split(/[{[]/).length > outside.split(/[}\]]/).length;
}

function codeOf(status: number, said: string): RemoteErrorCode {
  if (status === 409) return 'conflict';
  if (status === 507 || /\bfull\b|enospc|quota/i.test(said)) return 'full';
  if (status === 401 || status === 403) return 'unauthorized';
  // 404: the database is not there; `state` creates it.
  return status >= 500 || [404, 408, 425, 429].includes(status) ? 'unavailable' : 'invalid';
}

/** A document; its `write` makes sure that no two writes have the same revision, which is a digest. */
const documentOf = (bytes: Uint8Array | null, revision: string): Json => ({
  ...(revision !== '' && { _rev: revision }),
  ...(bytes ? { bytes: toBase64(bytes) } : { deleted: true }),
  write: crypto.randomUUID(),
});

function bytesOf(document: unknown): Uint8Array | null {
  const { bytes, deleted } = objectOf(document);
  if (deleted === true) return null;
  try {
    const decoded = fromBase64(textOf(bytes, MAX_ANSWER_BYTES));
    if (decoded.length <= MAX_RECORD_BYTES) return decoded;
  } catch {
    // Not base64.
  }
  throw invalid('a record without bytes, or too many');
}

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  // In parts: a call takes only so many arguments.
  for (let start = 0; start < bytes.length; start += 8_192)
    binary += String.fromCharCode(...bytes.subarray(start, start + 8_192));
  return btoa(binary);
}

function changeRowOf(value: unknown): ChangeRow {
  const { id, seq, changes, deleted } = objectOf(value);
  const revision = revisionOf(objectOf(listOf(changes)[0])['rev']);
  return { id: textOf(id), revision, deleted: deleted === true, position: positionOf(seq) };
}

function rowOf(row: unknown): Row {
  const { id, value } = objectOf(row);
  return { id: textOf(id), revision: revisionOf(objectOf(value)['rev']) };
}

const isRecord = (id: string): boolean => id.startsWith(RECORD) && isName(id.slice(RECORD.length));

/** The number that a revision or an update sequence begins with: PouchDB's sequences have nothing else. */
const numberOf = (text: string): number => Number.parseInt(text, 10);

function positionOf(value: unknown): string {
  const position = String(value);
  if (/^\d{1,15}(?:$|-.{1,8000}$)/.test(position)) return position;
  throw invalid('no update sequence');
}

function revisionOf(value: unknown): string {
  if (typeof value === 'string' && REVISION.test(value)) return value;
  throw invalid('no revision');
}

function objectOf(value: unknown): Json {
  if (typeof value === 'object' && value !== null) return value as Json;
  throw invalid('no object');
}

function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  throw invalid('no list');
}

function textOf(value: unknown, maxLength = MAX_ID_LENGTH): string {
  if (typeof value === 'string' && value.length <= maxLength) return value;
  throw invalid('no text');
}

const invalid = (what: string): RemoteError =>
  new RemoteError('invalid', `The server answers with ${what}.`);

const unavailable = (what: string, cause?: unknown): RemoteError =>
  new RemoteError('unavailable', `The server fails: ${what}.`, { cause });
