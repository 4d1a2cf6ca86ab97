import { randomBytes, randomUUID } from 'node:crypto';
import {
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { decodeBytes, encodeBytes } from '../proof/bytes.js';
import { NONCE_BYTES } from '../proof/pairing.js';

/** A page that the user has paired. */
export interface Pairing {
  /** The id of the pairing, which the page sends. */
  id: string;
  /** The origin of the page. */
  origin: string;
  /** The key that both sides have, 32 bytes. */
  key: Uint8Array;
  /** The time of the pairing, as an ISO 8601 date. */
  pairedAt: string;
}

/** The state file cannot be used; the message says why, and what to do. */
export class StateError extends Error {
  override readonly name = 'StateError';
}

/** The maximum number of pairings that are kept; for one more, the oldest is deleted. */
const MAX_PAIRINGS = 100;

interface State {
  secret: Uint8Array;
  pairings: Pairing[];
}

/**
 * The file that all bridge processes of a user share. It contains the secret by which they recognise each
 * other, and the keys of the paired pages. Every access reads the file again, because another process may
 * have changed it.
 */
export class StateFile {
  readonly path: string;

  /**
   * Opens the file, and creates it with a new secret if it does not exist.
   *
   * @throws {StateError} if other users can read it, or if it is damaged or cannot be written.
   */
  constructor(folder: string) {
    this.path = join(folder, 'bridge.json');
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      requirePrivate(folder);
      this.#create();
      this.#read();
    } catch (error) {
      if (error instanceof StateError) throw error;
      const reason = (error as Error).message;
      throw new StateError(`The state file cannot be used. ${reason}`, { cause: error });
    }
  }

  /** The secret by which bridge processes of the same user recognise each other, 32 bytes. */
  get secret(): Uint8Array {
    return this.#read().secret;
  }

  /** The paired pages, the oldest first. */
  get pairings(): readonly Pairing[] {
    return this.#read().pairings;
  }

  /** The pairing of an origin with this id. */
  find(id: string, origin: string): Pairing | undefined {
    return this.pairings.find((pairing) => pairing.id === id && pairing.origin === origin);
  }

  /**
   * Saves a pairing.
   *
   * @throws {StateError} if the file cannot be used.
   */
  add(pairing: Pairing): void {
    this.#change((pairings) => [...pairings, pairing].slice(-MAX_PAIRINGS));
  }

  /**
   * Deletes the pairings for which the function returns true.
   *
   * @returns The number of deleted pairings.
   * @throws {StateError} if the file cannot be used.
   */
  remove(matches: (pairing: Pairing) => boolean): number {
    let removed = 0;
    this.#change((pairings) => {
      const kept = pairings.filter((pairing) => !matches(pairing));
      removed = pairings.length - kept.length;
      return kept;
    });
    return removed;
  }

  /** Changes the pairings. One process at a time does so, or one of two changes would be lost. */
  #change(change: (pairings: readonly Pairing[]) => Pairing[]): void {
    withLock(`${this.path}.lock`, () => {
      const { secret, pairings } = this.#read();
      const changed = change(pairings);
      if (changed.length !== pairings.length || changed.at(-1) !== pairings.at(-1))
        this.#write({ secret, pairings: changed });
    });
  }

  /**
   * Creates the file. Two processes may start at the same moment, but only one of them can create the link.
   */
  #create(): void {
    const temporary = this.#temporaryPath();
    writeState(temporary, { secret: randomBytes(NONCE_BYTES), pairings: [] });
    try {
      linkSync(temporary, this.path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(temporary);
    }
  }

  #read(): State {
    requirePrivate(this.path);
    const state = parseState(readFileSync(this.path, 'utf8'));
    if (state) return state;
    throw new StateError(`${this.path} is damaged. Delete it, and pair your pages again.`);
  }

  #write(state: State): void {
    const temporary = this.#temporaryPath();
    writeState(temporary, state);
    renameSync(temporary, this.path);
  }

  #temporaryPath(): string {
    return `${this.path}.${randomUUID()}.tmp`;
  }
}

/** The interval between two attempts to lock the file, and the number of attempts. A change takes about 1 ms. */
const LOCK_RETRY_MS = 10;
const LOCK_ATTEMPTS = 100;

/**
 * Runs a function while this process has a lock file. A process that was killed leaves its lock behind, which
 * is taken over when all attempts have failed.
 */
function withLock(path: string, run: () => void): void {
  for (let attempt = 1; !tryLock(path); attempt += 1) {
    if (attempt === LOCK_ATTEMPTS) break;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_RETRY_MS);
  }
  try {
    run();
  } finally {
    rmSync(path, { force: true });
  }
}

function tryLock(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', 0o600));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Requires that other users cannot access a file or folder. Windows has no permission bits, but other users
 * cannot read the folder of the user there anyway.
 *
 * @throws {StateError} if other users can read or change a file or folder.
 */
function requirePrivate(path: string): void {
  if (process.platform === 'win32') return;
  const { mode, uid } = statSync(path);
  if (uid !== process.getuid?.()) throw new StateError(`${path} belongs to another user.`);
  if ((mode & 0o077) !== 0)
    throw new StateError(
      `${path} can be read by other users of this machine, and may have been. Delete it, and pair your pages again; or run "chmod go= '${path}'" if nobody else has an account here.`,
    );
}

function writeState(path: string, { secret, pairings }: State): void {
  const json = {
    version: 1,
    secret: encodeBytes(secret),
    pairings: pairings.map((pairing) => ({ ...pairing, key: encodeBytes(pairing.key) })),
  };
  writeFileSync(path, `${JSON.stringify(json, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
}

function parseState(text: string): State | undefined {
  try {
    const { secret, pairings } = JSON.parse(text) as {
      secret: unknown;
      pairings: Record<keyof Pairing, unknown>[];
    };
    const bytes = decodeBytes(secret, NONCE_BYTES);
    const read = pairings.map((pairing) => parsePairing(pairing));
    return bytes && read.every((pairing) => pairing !== undefined)
      ? { secret: bytes, pairings: read }
      : undefined;
  } catch {
    return undefined;
  }
}

function parsePairing({
  id,
  origin,
  key,
  pairedAt,
}: Record<keyof Pairing, unknown>): Pairing | undefined {
  const bytes = decodeBytes(key, NONCE_BYTES);
  const areTexts = typeof id === 'string' && typeof origin === 'string';
  return bytes && areTexts && typeof pairedAt === 'string'
    ? { id, origin, key: bytes, pairedAt }
    : undefined;
}
