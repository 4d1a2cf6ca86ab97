import { MAX_URI_LENGTH } from '@inpage-mcp/protocol';
import type { StoreScope } from '@inpage-mcp/store';
import {
  FILE_URI_PREFIX,
  NOTE_URI_PREFIX,
  parseResourceUri,
  SEARCH_URI_PREFIX,
} from '../resources/resource-uris.js';

/** The maximum number of addresses in `Access.read`. */
export const MAX_ACCESS_URIS = 100;

/** The endings that make an address a prefix: it covers every uri that begins with it. */
const ENDS_OF_PREFIXES: readonly string[] = ['/', ':', '?', '='];

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/** The addresses of `Access.read`: exact uris and prefixes. */
export type AccessUris = readonly string[];

/** Whether an address covers every uri that begins with it, rather than one uri. */
function isPrefix(address: string): boolean {
  return ENDS_OF_PREFIXES.includes(address.at(-1) ?? '');
}

/** Whether the addresses cover a uri. */
export function covers(addresses: AccessUris, uri: string): boolean {
  return addresses.some((address) =>
    isPrefix(address) ? uri.startsWith(address) : uri === address,
  );
}

/** Whether the addresses may cover some uri with this beginning. */
export function mayCover(addresses: AccessUris, beginning: string): boolean {
  return covers(addresses, beginning) || addresses.some((one) => one.startsWith(beginning));
}

/** The reason why an address of `Access.read` is invalid; `undefined` if it is valid. */
export function addressProblem(address: unknown): string | undefined {
  if (typeof address !== 'string') return 'it is not a string';
  if (address.length > MAX_URI_LENGTH) return `it has more than ${MAX_URI_LENGTH} characters`;
  if (!SCHEME.test(address)) return 'it has no scheme, like file: or note:';
  const isOurs = address.startsWith('note:') || address.startsWith('file:');
  return !isOurs || scopeOfAddress(address) ? undefined : 'no note, file or folder has this uri';
}

/** The notes and files that the addresses cover; the result must agree with {@link covers}. */
export function scopeOf(addresses: AccessUris): StoreScope {
  const scopes = addresses.map((address) => scopeOfAddress(address) ?? {});
  const pick = (key: keyof AddressScope): ReadonlySet<string> =>
    new Set(scopes.flatMap((scope) => scope[key] ?? []));
  const isEvery = (prefix: string): boolean => covers(addresses, prefix);
  return {
    notes: isEvery(NOTE_URI_PREFIX) ? 'all' : pick('note'),
    files: isEvery(FILE_URI_PREFIX) ? 'all' : { paths: pick('path'), folders: pick('folder') },
  };
}

/**
 * The scope of one address, with at most one member; empty if the address is not a single note, file or
 * folder.
 */
interface AddressScope {
  note?: string;
  path?: string;
  folder?: string;
}

/** The scope of one address; `undefined` if no note, file, folder or search can have it. */
function scopeOfAddress(address: string): AddressScope | undefined {
  const isWhole = [NOTE_URI_PREFIX, FILE_URI_PREFIX].some((all) => covers([address], all));
  const isSearch = isPrefix(address) && `${SEARCH_URI_PREFIX}q=`.startsWith(address);
  if (isWhole || isSearch) return {};
  const target = parseResourceUri(address);
  if (target?.kind === 'note') return { note: target.id };
  if (target?.kind === 'file') return { path: target.path };
  if (target?.kind === 'folder') return { folder: target.path };
  return target && {};
}
