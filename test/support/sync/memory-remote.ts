import {
  MAX_NAME_LENGTH,
  MAX_RECORD_BYTES,
  RemoteError,
  type Remote,
  type RemoteChange,
  type RemotePieces,
  type UnwantedPiece,
  type RemoteState,
} from '@inpage-mcp/sync';

interface Stored {
  name: string;
  sequence: number;
  version: string;
  bytes: Uint8Array | null;
}

/** What a server has at some time. */
interface Contents {
  epoch: string;
  last: number;
  records: Map<string, Stored>;
  pieces: Map<string, Uint8Array>;
}

const empty = (): Contents => ({
  epoch: crypto.randomUUID(),
  last: 0,
  records: new Map(),
  pieces: new Map(),
});

/** A server in memory, for tests and models; each device has a remote of its own. */
export class MemoryServer {
  /** Whether it cannot be reached. */
  isDown = false;
  /** Whether it has no room for more. */
  isFull = false;
  /** How many of the next writes are done, and their answers lost. */
  lostAnswers = 0;
  #contents = empty();
  #backup = empty();
  readonly #listeners = new Set<() => void>();
  readonly #ends = new Set<(error: RemoteError) => void>();

  connect(): Remote {
    return new MemoryRemote(this);
  }

  get contents(): Contents {
    if (this.isDown) throw new RemoteError('unavailable', 'The server is down.');
    return this.#contents;
  }

  /** Another server with the same, as a replica that hears of nothing more. */
  copy(): MemoryServer {
    const copy = new MemoryServer();
    copy.#contents = copyOf(this.#contents);
    return copy;
  }

  /** Begins anew, as if it had been deleted. */
  makeAnew(): void {
    this.#contents = empty();
  }

  backUp(): void {
    this.#backup = copyOf(this.#contents);
  }

  rollBack(): void {
    this.#contents = copyOf(this.#backup);
  }

  /** Ends what listens, as a server that goes down does. */
  goDown(): void {
    this.isDown = true;
    for (const end of this.#ends) end(new RemoteError('unavailable', 'The server is down.'));
  }

  write(act: (contents: Contents) => void): void {
    if (this.isFull) throw new RemoteError('full', 'The server has no room left.');
    act(this.contents);
    for (const listener of this.#listeners) listener();
    if (this.lostAnswers === 0) return;
    this.lostAnswers -= 1;
    throw new RemoteError('unavailable', 'The answer got lost.');
  }

  listen(listener: () => void, signal: AbortSignal): Promise<never> {
    return new Promise((_, reject) => {
      if (this.isDown) reject(new RemoteError('unavailable', 'The server is down.'));
      const end = (reason: unknown): void => {
        this.#listeners.delete(listener);
        this.#ends.delete(end);
        reject(reason as Error);
      };
      this.#listeners.add(listener);
      this.#ends.add(end);
      signal.addEventListener('abort', () => end(signal.reason), { once: true });
    });
  }
}

const copyOf = ({ epoch, last, records, pieces }: Contents): Contents => ({
  epoch,
  last,
  records: new Map(records),
  pieces: new Map(pieces),
});

class MemoryRemote implements Remote {
  readonly pieces: RemotePieces;
  readonly #server: MemoryServer;

  constructor(server: MemoryServer) {
    this.#server = server;
    this.pieces = new MemoryPieces(server);
  }

  async state(signal: AbortSignal): Promise<RemoteState> {
    await turn(signal);
    const { epoch, last } = this.#server.contents;
    return { epoch, position: last > 0 ? String(last) : '', changes: last };
  }

  async *since(position: string, signal: AbortSignal): AsyncGenerator<RemoteChange> {
    await turn(signal);
    const changes = [...this.#server.contents.records.values()]
      .filter(({ sequence }) => sequence > Number(position))
      .toSorted((one, other) => one.sequence - other.sequence);
    for (const { name, sequence, version, bytes } of changes) {
      await turn(signal);
      yield { name, bytes, version, position: String(sequence) };
    }
  }

  async get(name: string, signal: AbortSignal) {
    check(name, null);
    await turn(signal);
    const stored = this.#server.contents.records.get(name);
    return stored && { version: stored.version, bytes: stored.bytes };
  }

  async put(name: string, bytes: Uint8Array | null, expected: string, signal: AbortSignal) {
    check(name, bytes);
    await turn(signal);
    // Also on a server that has gone back, no two writes have the same.
    const version = crypto.randomUUID();
    this.#server.write((contents) => {
      if (expected !== (contents.records.get(name)?.version ?? ''))
        throw new RemoteError('conflict', `${name} has another version.`);
      contents.last += 1;
      const sequence = contents.last;
      contents.records.set(name, { name, sequence, version, bytes: bytes?.slice() ?? null });
    });
    return version;
  }

  async *list(signal: AbortSignal) {
    await turn(signal);
    for (const { name, version } of this.#server.contents.records.values()) yield { name, version };
  }

  async live(listener: () => void, signal: AbortSignal): Promise<never> {
    await turn(signal);
    return await this.#server.listen(listener, signal);
  }
}

class MemoryPieces implements RemotePieces {
  readonly #server: MemoryServer;

  constructor(server: MemoryServer) {
    this.#server = server;
  }

  async get(name: string, signal: AbortSignal) {
    check(name, null);
    await turn(signal);
    return this.#server.contents.pieces.get(name);
  }

  async put(name: string, bytes: Uint8Array, signal: AbortSignal, isAgain = false): Promise<void> {
    check(name, bytes);
    await turn(signal);
    this.#server.write(({ pieces }) => {
      if (isAgain || !pieces.has(name)) pieces.set(name, bytes.slice());
    });
  }

  async has(names: readonly string[], signal: AbortSignal) {
    await turn(signal);
    const { pieces } = this.#server.contents;
    return new Set(names.filter((name) => pieces.has(name)));
  }

  async *list(signal: AbortSignal) {
    await turn(signal);
    for (const [name, bytes] of this.#server.contents.pieces)
      yield { name, version: versionOf(bytes) };
  }

  async delete(unwanted: readonly UnwantedPiece[], signal: AbortSignal): Promise<void> {
    await turn(signal);
    const { pieces } = this.#server.contents;
    for (const { name, version } of unwanted) {
      const bytes = pieces.get(name);
      if (bytes && (version ?? versionOf(bytes)) === versionOf(bytes)) pieces.delete(name);
    }
  }
}

const versions = new WeakMap<Uint8Array, string>();

/** Each write has an array of its own. */
function versionOf(piece: Uint8Array): string {
  const version = versions.get(piece) ?? crypto.randomUUID();
  versions.set(piece, version);
  return version;
}

/** Lets others have their turn, as a network does. */
async function turn(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await Promise.resolve();
  signal.throwIfAborted();
}

function check(name: string, bytes: Uint8Array | null): void {
  const isName = name.length <= MAX_NAME_LENGTH && /^[A-Za-z0-9_-]+$/.test(name);
  if (!isName || (bytes && bytes.length > MAX_RECORD_BYTES))
    throw new RemoteError('invalid', `${name} cannot be written.`);
}
