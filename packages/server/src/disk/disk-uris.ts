import { MAX_URI_LENGTH } from '@inpage-mcp/protocol';
import { DISK_URI } from '../resources/disk/disk-types.js';

/** The only file that knows the format of addresses on the disk. */

/** The target of an address. */
export interface DiskTarget {
  /** The name of the mounted folder, then those inside it; empty for all folders. */
  names: readonly string[];
  isFolder: boolean;
  /** The index of the entry with which a read of the folder begins. */
  from: number;
}

/** Matches the query of a folder that is read by pages. */
const FROM = /\?from=([1-9]\d{0,8})$/;

/** The address of a file or a folder. */
export function diskUri(names: readonly string[], isFolder: boolean): string {
  const path = names.map(encodeURIComponent).join('/');
  return DISK_URI + path + (isFolder && path !== '' ? '/' : '');
}

/**
 * The target of an address; `undefined` unless it is, byte for byte, the address that {@link diskUri}
 * creates.
 */
export function parseDiskUri(uri: string): DiskTarget | undefined {
  if (!uri.startsWith(DISK_URI) || uri.length > MAX_URI_LENGTH) return undefined;
  const from = FROM.exec(uri)?.[1];
  const address = uri.replace(FROM, '');
  if (address === DISK_URI) return from ? undefined : { names: [], isFolder: true, from: 0 };
  const isFolder = address.endsWith('/');
  const names = namesIn(address.slice(DISK_URI.length, isFolder ? -1 : undefined));
  if (!names || diskUri(names, isFolder) !== address || (from && !isFolder)) return undefined;
  return { names, isFolder, from: Number(from ?? 0) };
}

/** Whether a file can have this name. */
export function isName(name: string): boolean {
  return !['', '.', '..'].includes(name) && !/[/\0\p{Surrogate}]/u.test(name);
}

function namesIn(path: string): string[] | undefined {
  try {
    const names = path.split('/').map(decodeURIComponent);
    return names.every(isName) ? names : undefined;
  } catch {
    return undefined;
  }
}
