import type { ChangedBy } from '@inpage-mcp/protocol';
import type { ChangeAuthor, RecorderOf, StoreScope } from '@inpage-mcp/store';
import {
  addressProblem,
  covers,
  MAX_ACCESS_URIS,
  mayCover,
  scopeOf,
  type AccessUris,
} from './uri-patterns.js';
import { callSafely } from '@inpage-mcp/transport';
import type { Access } from './access-types.js';
import type { PermittedUris } from '../resources/resource-provider.js';
import { DISK_URI, isDiskUri } from '../resources/disk/disk-types.js';
import { fileUri, noteUri } from '../resources/resource-uris.js';

/** The maximum number of tool or prompt names in an access. */
const MAX_ACCESS_NAMES = 1_000;

/** The key in the `_meta` of `notifications/resources/updated` for the author of the change. */
const CHANGED_BY_KEY = 'io.github.inpage-mcp/changed-by';

/** The holder of a port that the page has given away. */
export const PORT_HOLDER = 'guest';

/** The maximum length of a client's name, in UTF-16 code units. */
const MAX_CLIENT_NAME_LENGTH = 200;

const MEMBERS: readonly string[] = ['read', 'write', 'tools', 'prompts'];

const WRITES: readonly unknown[] = ['allow', 'ask', 'deny'];

/** The access is invalid. */
class AccessError extends Error {
  override readonly name = 'AccessError';
  readonly code = 'invalid-argument';
}

/**
 * The current permissions of one connection. All code that serves the connection checks them each time, so
 * that a revoked access ends immediately.
 */
export class Permission implements PermittedUris {
  /** Called with each requested uri, tool or prompt that is not permitted. */
  ondenied: ((subject: string) => void) | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #isGuest: boolean;
  readonly #holder: string;
  readonly #isOpen: (uri: string) => boolean;
  /** The connection as the author of changes. */
  readonly #author: ChangeAuthor;
  /** Keeps the changes of the connection in the history; undefined if none is kept. */
  readonly #recorderOf: RecorderOf | undefined;
  #access!: Access;
  #uris: 'all' | AccessUris = 'all';
  #scope: StoreScope = { notes: 'all', files: 'all' };

  /**
   * @param isGuest Whether a guest holds the port: a guest never sees the activity of other connections,
   *   regardless of its access.
   * @param holder The namespace of its idempotency keys.
   * @param connection Its number in the activity log.
   * @param isOpen Whether guests may see something of the disk at all, if their access names it.
   * @param recorderOf Keeps its changes in the history. Default: none is kept.
   * @throws {AccessError} if the access is invalid.
   */
  constructor(
    access: Access,
    isGuest: boolean,
    holder: string,
    connection: number,
    isOpen: (uri: string) => boolean = () => false,
    recorderOf?: RecorderOf,
  ) {
    this.#recorderOf = recorderOf;
    this.#isOpen = isOpen;
    this.#isGuest = isGuest;
    this.#holder = holder;
    const isFrame = isGuest && holder !== PORT_HOLDER;
    this.#author = isFrame
      ? { from: 'frame', origin: holder, connection }
      : { from: 'tool', connection };
    this.set(access);
  }

  /**
   * Replaces the access.
   *
   * @throws {AccessError} if the access is invalid; the previous one then stays in force.
   */
  set(access: Access): void {
    checkAccess(access);
    const { read = 'all' } = access;
    this.#access = access;
    this.#uris = read === 'all' ? 'all' : [...read];
    this.#scope = this.#scopeOf(this.#uris);
    for (const listener of this.#listeners) callSafely(listener);
  }

  /** Calls the listener after each change of the access. Returns a function that stops it. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get isGuest(): boolean {
    return this.#isGuest;
  }

  /** Whether the connection sees everything, including the activity of others. */
  get seesAll(): boolean {
    return this.#uris === 'all' && !this.#isGuest;
  }

  /** The notes and files that are permitted. */
  get scope(): StoreScope {
    return this.#scope;
  }

  /** Whether the access has no restriction at all. */
  get isUnrestricted(): boolean {
    const { tools = 'all', prompts = 'all' } = this.#access;
    return this.#uris === 'all' && this.write === 'allow' && tools === 'all' && prompts === 'all';
  }

  get write(): Required<Access>['write'] {
    return this.#access.write ?? 'allow';
  }

  get addresses(): PermittedUris['addresses'] {
    return this.#uris;
  }

  /** Whether a uri is permitted, regardless of whether it exists. */
  permits(uri: string): boolean {
    if (this.#uris === 'all') return !this.#isGuest || !isDiskUri(uri);
    return covers(this.#uris, uri) && (!this.#isGuest || !isDiskUri(uri) || this.#isOpen(uri));
  }

  /** Whether some uri with this beginning may be permitted. */
  mayPermit(beginning: string): boolean {
    const uris = this.#uris;
    if (uris === 'all') return !this.#isGuest || !isDiskUri(beginning);
    const isClosed = this.#isGuest && isDiskUri(beginning) && !this.#isOpen(beginning);
    return mayCover(uris, beginning) && !isClosed;
  }

  /** Whether the access includes a part of the disk, regardless of whether it is open to guests. */
  get includesDisk(): boolean {
    return this.#uris === 'all' ? !this.#isGuest : mayCover(this.#uris, DISK_URI);
  }

  /**
   * Whether the connection may use a tool.
   *
   * @param isReadOnly Its `readOnlyHint`; a tool without the hint may write.
   */
  permitsTool(name: string, isReadOnly: boolean): boolean {
    return isNamed(this.#access.tools, name) && (isReadOnly || this.write !== 'deny');
  }

  permitsPrompt(name: string): boolean {
    return isNamed(this.#access.prompts, name);
  }

  /** Reports a request for something that is not permitted. */
  reportDenial(subject: string): void {
    this.ondenied?.(subject);
  }

  /**
   * The facts that the client may get about the author of a change: whether it is the client itself, or its
   * own page. Only the page also learns who else it is.
   */
  changedBy(author: ChangeAuthor | undefined): ChangedBy | undefined {
    const isGuest = this.#isGuest;
    const own = author === this.#author || (author === null && !isGuest);
    if (!own && (isGuest || !author)) return undefined;
    return { own, meta: { [CHANGED_BY_KEY]: own ? { own } : author } };
  }

  #scopeOf(uris: 'all' | AccessUris): StoreScope {
    const holder = this.#holder;
    const author = this.#author;
    const recorderOf = this.#recorderOf;
    if (uris === 'all') return { notes: 'all', files: 'all', holder, author, recorderOf };
    const ondenied = (kind: 'note' | 'file', key: string): void =>
      this.reportDenial(kind === 'note' ? noteUri(key) : fileUri(key));
    return { ...scopeOf(uris), holder, author, recorderOf, ondenied };
  }
}

function isNamed(names: Access['tools'], name: string): boolean {
  if (names === undefined || names === 'all') return true;
  return names !== 'none' && names.includes(name);
}

function checkAccess(access: unknown): asserts access is Access {
  if (typeof access !== 'object' || access === null) refuse('An access must be an object.');
  const unknown = Object.keys(access).find((key) => !MEMBERS.includes(key));
  // If an unknown member were ignored, a misspelt one would permit everything.
  if (unknown !== undefined)
    refuse(`\`${unknown}\` is not a member of an access: only ${MEMBERS.join(', ')}.`);
  if ('then' in access) refuse('An access must not be a promise.');
  const { read, write, tools, prompts } = access as { [key in keyof Access]?: unknown };
  checkRead(read);
  if (write !== undefined && !WRITES.includes(write)) {
    refuse('`write` must be "allow", "ask" or "deny".');
  }
  checkNames('tools', tools);
  checkNames('prompts', prompts);
}

/**
 * Checks the name of a client.
 *
 * @throws {AccessError} unless it is a name for people, or absent.
 */
export function checkClientName(name: unknown): void {
  if (name === undefined) return;
  if (typeof name !== 'string' || name.length > MAX_CLIENT_NAME_LENGTH || !name.isWellFormed())
    refuse(`A name must be a string of at most ${MAX_CLIENT_NAME_LENGTH} characters.`);
}

function checkRead(read: unknown): void {
  if (read === undefined || read === 'all') return;
  if (!Array.isArray(read)) refuse('`read` must be "all" or an array of addresses.');
  if (read.length > MAX_ACCESS_URIS) {
    refuse(`\`read\` names ${read.length} addresses; at most ${MAX_ACCESS_URIS} are allowed.`);
  }
  for (const address of read as unknown[]) {
    const problem = addressProblem(address);
    if (problem !== undefined) refuse(`\`read\` cannot name ${String(address)}: ${problem}.`);
  }
}

function checkNames(key: string, names: unknown): void {
  if (names === undefined || names === 'all' || names === 'none') return;
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) {
    refuse(`\`${key}\` must be "all", "none" or an array of names.`);
  }
  if (names.length > MAX_ACCESS_NAMES) {
    refuse(`\`${key}\` has ${names.length} names; at most ${MAX_ACCESS_NAMES} are allowed.`);
  }
}

function refuse(message: string): never {
  throw new AccessError(message);
}
