import type { StoreScope } from '@inpage-mcp/store';
import {
  addressProblem,
  covers,
  MAX_ACCESS_URIS,
  mayCover,
  scopeOf,
  type AccessUris,
} from './access-uris.js';
import { callSafely } from '@inpage-mcp/protocol';
import type { Access } from './access.js';
import { fileUri, noteUri } from '../resources/resource-uris.js';

/** The most tools or prompts that an access names. */
const MAX_ACCESS_NAMES = 1_000;

const MEMBERS: readonly string[] = ['read', 'write', 'tools', 'prompts'];

const WRITES: readonly unknown[] = ['allow', 'ask', 'deny'];

/** An access that cannot be meant. */
class AccessError extends Error {
  override readonly name = 'AccessError';
  readonly code = 'invalid-argument';
}

/**
 * What one connection may do at the moment. Everything that serves the connection asks here, each
 * time: an access that is taken away is gone at once.
 */
export class Permission {
  /** Hears of each uri, tool and prompt that was asked for and is not permitted. */
  ondenied: ((subject: string) => void) | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #isGuest: boolean;
  readonly #holder: string;
  #access!: Access;
  #uris: 'all' | AccessUris = 'all';
  #scope: StoreScope = { notes: 'all', files: 'all' };

  /**
   * @param isGuest Whether somebody else than the page holds it: it is kept from what other
   *   connections do, whatever it may read.
   * @param holder Whose idempotency keys it uses.
   * @throws {AccessError} for an access that cannot be meant.
   */
  constructor(access: Access, isGuest: boolean, holder: string) {
    this.#isGuest = isGuest;
    this.#holder = holder;
    this.set(access);
  }

  /** @throws {AccessError} for an access that cannot be meant; the one before then holds on. */
  set(access: Access): void {
    checkAccess(access);
    const { read = 'all' } = access;
    this.#access = access;
    this.#uris = read === 'all' ? 'all' : [...read];
    this.#scope = this.#scopeOf(this.#uris);
    for (const listener of this.#listeners) callSafely(listener);
  }

  /** Calls the listener each time that the access has become another. Returns what stops that. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get isGuest(): boolean {
    return this.#isGuest;
  }

  /** Whether nothing at all is kept from it. */
  get seesAll(): boolean {
    return this.#uris === 'all' && !this.#isGuest;
  }

  /** The notes and files that are permitted. */
  get scope(): StoreScope {
    return this.#scope;
  }

  /** Whether nothing is held back that could be. */
  get isWhole(): boolean {
    const { tools = 'all', prompts = 'all' } = this.#access;
    return this.#uris === 'all' && this.write === 'allow' && tools === 'all' && prompts === 'all';
  }

  get write(): Required<Access>['write'] {
    return this.#access.write ?? 'allow';
  }

  /** Whether a uri is permitted. Whether anything is there is another question. */
  permits(uri: string): boolean {
    return this.#uris === 'all' || covers(this.#uris, uri);
  }

  /** Whether some uri that begins like this may be permitted. */
  mayPermit(beginning: string): boolean {
    return this.#uris === 'all' || mayCover(this.#uris, beginning);
  }

  /** @param isReadOnly What its `readOnlyHint` says; a tool that says nothing may write. */
  permitsTool(name: string, isReadOnly: boolean): boolean {
    return isNamed(this.#access.tools, name) && (isReadOnly || this.write !== 'deny');
  }

  permitsPrompt(name: string): boolean {
    return isNamed(this.#access.prompts, name);
  }

  /** Takes note of something that was asked for and is not permitted. */
  denied(subject: string): void {
    this.ondenied?.(subject);
  }

  #scopeOf(uris: 'all' | AccessUris): StoreScope {
    const holder = this.#holder;
    if (uris === 'all') return { notes: 'all', files: 'all', holder };
    const ondenied = (kind: 'note' | 'file', key: string): void =>
      this.denied(kind === 'note' ? noteUri(key) : fileUri(key));
    return { ...scopeOf(uris), holder, ondenied };
  }
}

function isNamed(names: Access['tools'], name: string): boolean {
  if (names === undefined || names === 'all') return true;
  return names !== 'none' && names.includes(name);
}

function checkAccess(access: unknown): asserts access is Access {
  if (typeof access !== 'object' || access === null) refuse('An access is an object.');
  const unknown = Object.keys(access).find((key) => !MEMBERS.includes(key));
  // A member that is misspelt would permit everything.
  if (unknown !== undefined) refuse(`An access has no \`${unknown}\`: only ${MEMBERS.join(', ')}.`);
  if ('then' in access) refuse('An access is no promise.');
  const { read, write, tools, prompts } = access as { [key in keyof Access]?: unknown };
  checkRead(read);
  if (write !== undefined && !WRITES.includes(write)) {
    refuse('`write` is "allow", "ask" or "deny".');
  }
  checkNames('tools', tools);
  checkNames('prompts', prompts);
}

function checkRead(read: unknown): void {
  if (read === undefined || read === 'all') return;
  if (!Array.isArray(read)) refuse('`read` is "all" or an array of addresses.');
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
    refuse(`\`${key}\` is "all", "none" or an array of names.`);
  }
  if (names.length > MAX_ACCESS_NAMES) {
    refuse(`\`${key}\` has ${names.length} names; at most ${MAX_ACCESS_NAMES} are allowed.`);
  }
}

function refuse(message: string): never {
  throw new AccessError(message);
}
