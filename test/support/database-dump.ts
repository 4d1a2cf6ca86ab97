/**
 * A database as plain JSON: to keep what an earlier version of the software has made, and to make it
 * again. Reads and writes past all code of ours.
 */
import { answerOf } from './database.js';

/** A database as it was, all of it. */
export interface DatabaseDump {
  version: number;
  stores: StoreDump[];
}

/** One object store: what it is made with, and what it holds. */
interface StoreDump {
  name: string;
  keyPath: string | string[] | null;
  autoIncrement: boolean;
  indexes: {
    name: string;
    keyPath: string | string[];
    unique: boolean;
    multiEntry: boolean;
  }[];
  /** In the order of their keys. */
  records: RecordDump[];
}

/** A record; without a key where that is a part of the value. */
interface RecordDump {
  key?: IDBValidKey;
  /** As JSON holds it: see {@link BinaryDump}. */
  value: unknown;
}

/** What stands in a dump for what JSON does not have. The bytes are base64. */
type BinaryDump = { $blob: string; type: string } | { $bytes: string; class: BytesClass };

const BYTES_CLASSES = { ArrayBuffer, Uint8Array, Uint32Array };
type BytesClass = keyof typeof BYTES_CLASSES;

/** Everything that a database holds. */
export async function dumpDatabase(name: string): Promise<DatabaseDump> {
  const database = await answerOf(indexedDB.open(name));
  const dumps = [...database.objectStoreNames].map((store) => dumpStore(database, store));
  const dump = { version: database.version, stores: await Promise.all(dumps) };
  database.close();
  return dump;
}

async function dumpStore(database: IDBDatabase, name: string): Promise<StoreDump> {
  const store = database.transaction(name).objectStore(name);
  const { keyPath, autoIncrement } = store;
  const indexes = [...store.indexNames].map((index) => {
    const { name, keyPath, unique, multiEntry } = store.index(index);
    return { name, keyPath, unique, multiEntry };
  });
  const [keys, values] = await Promise.all([
    answerOf(store.getAllKeys()),
    answerOf(store.getAll() as IDBRequest<unknown[]>),
  ]);
  const records = values.map(async (value, index) => {
    const dumped = await toJson(value);
    return keyPath === null ? { key: keys[index]!, value: dumped } : { value: dumped };
  });
  return { name, keyPath, autoIncrement, indexes, records: await Promise.all(records) };
}

/** Makes a database that is as the dumped one was; resolves with the connection to it. */
export function restoreDatabase(name: string, dump: DatabaseDump): Promise<IDBDatabase> {
  const request = indexedDB.open(name, dump.version);
  request.onupgradeneeded = () => {
    for (const { name, keyPath, autoIncrement, indexes } of dump.stores) {
      const store = request.result.createObjectStore(name, { keyPath, autoIncrement });
      for (const { name, keyPath, unique, multiEntry } of indexes) {
        store.createIndex(name, keyPath, { unique, multiEntry });
      }
    }
    for (const { name, records } of dump.stores) {
      const store = request.transaction!.objectStore(name);
      for (const { key, value } of records) store.add(fromJson(value), key);
    }
  };
  return answerOf(request);
}

async function toJson(value: unknown): Promise<unknown> {
  if (value instanceof Blob) {
    return { $blob: toBase64(new Uint8Array(await value.arrayBuffer())), type: value.type };
  }
  const bytesClass = (Object.keys(BYTES_CLASSES) as BytesClass[]).find(
    (name) => value instanceof BYTES_CLASSES[name],
  );
  if (bytesClass) return { $bytes: toBase64(bytesOf(value as BufferSource)), class: bytesClass };
  if (Array.isArray(value)) return await Promise.all(value.map(toJson));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(async ([key, member]) => [key, await toJson(member)]);
  return Object.fromEntries((await Promise.all(entries)) as [string, unknown][]);
}

function bytesOf(source: BufferSource): Uint8Array {
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
}

/** The value that {@link DatabaseDump} holds as JSON. */
export function fromJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromJson);
  if (typeof value !== 'object' || value === null) return value;
  if (isBinary(value)) {
    if ('$blob' in value) {
      return new Blob([fromBase64(value.$blob)], { type: value.type });
    }
    const { buffer } = fromBase64(value.$bytes);
    return value.class === 'ArrayBuffer' ? buffer : new BYTES_CLASSES[value.class](buffer);
  }
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fromJson(member)]));
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0));
}

function isBinary(value: object): value is BinaryDump {
  return '$blob' in value || '$bytes' in value;
}
