import type { ErrorCode, ProtocolError, ToolAnswer, ToolError } from '@inpage-mcp/protocol';
import type { completionOf, createWordMatcher } from '../completions.js';
import type { blobContents } from '../contents/binary-extension.js';
import type { contentMeta } from '../resource-annotations.js';
import type {
  BadPositionError,
  PermittedUris,
  ResourceChange,
  ResourceProvider,
} from '../resource-provider.js';

/** The beginning of the address of everything on the disk. */
export const DISK_URI = 'disk:///';

/** Whether an address is one of the disk. */
export function isDiskUri(uri: string): boolean {
  return uri.startsWith(DISK_URI);
}

/** Whether an address is one of a folder of the disk, which may have to be read from the beginning. */
export function isDiskFolderUri(uri: string): boolean {
  return isDiskUri(uri) && /\/(?:\?from=\d+)?$/.test(uri);
}

/** The key under which the script of the folders leaves {@link CreateDisk} in the worker. */
export const DISK_KEY = 'inpage-mcp: disk';

/** The code of the error if the script of the folders cannot be loaded into the worker. */
export type DiskNotLoaded = 'disk-not-loaded';

/** Options for mounting a folder. */
export interface MountOptions {
  /**
   * The first name in its addresses, `disk:///{name}/`: 1 to 255 characters, at most 1,000 of the
   * address, no slash. Default: the name of the handle, followed by a number if another folder has it.
   */
  name?: string | undefined;
  /** Whether tools may write; the user must have permitted it. Default: false. */
  write?: boolean | undefined;
  /**
   * The files that are excluded, in addition to the names that always are: `gitignore` for the `.gitignore`
   * files of the folder, or patterns in their syntax. Default: no others.
   */
  ignore?: 'gitignore' | readonly string[] | undefined;
  /** Whether guests whose access names it may see it; `read: 'all'` is not sufficient. Default: false. */
  guests?: boolean | undefined;
}

/** A mounted folder. */
export interface FolderInfo {
  /** The first name in its addresses. */
  name: string;
  /** The address, `disk:///{name}/`. */
  uri: string;
  /**
   * The state:
   *
   * - `ready`: the folder is served.
   * - `permission`: the user has to allow it again.
   * - `gone`: it is no longer in its place.
   */
  state: 'ready' | 'permission' | 'gone';
  /** Whether tools may write. */
  write: boolean;
  /** Whether guests may see it. */
  guests: boolean;
}

/** The operations that the page has for folders. */
export interface DiskControl {
  /** Mounts a folder; one that is mounted gets these options. */
  mount(handle: FileSystemDirectoryHandle, options?: MountOptions): Promise<FolderInfo>;
  /** Unmounts a folder. Does nothing if no folder has this name. */
  unmount(name: string): Promise<void>;
  /** Checks the folders for changes that the browser has not reported. */
  refresh(): Promise<FolderInfo[]>;
}

/** The tools that also write to the disk. */
export type DiskTool = 'save_file' | 'move_file' | 'delete_file';

/** The arguments of {@link DiskTool}s. */
export interface DiskArguments {
  path?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  content?: Blob | undefined;
  overwrite?: boolean | undefined;
  expectedLastModified?: string | undefined;
}

/** The part of a tool's call that writes to the disk. */
export interface DiskCall {
  signal: AbortSignal;
  progress(progress: number, total?: number): void;
}

/** The answer of a {@link DiskTool}; each tool has its own part of it. */
export interface DiskAnswer {
  path: string;
  uri: string;
  mediaType?: string;
  size?: number;
  updatedAt?: string;
  from?: string;
  deleted?: true;
}

/** The search for names in folders. */
export interface DiskSearch {
  query: string;
  folder?: string | undefined;
  limit: number;
}

/** The mounted folders. */
export interface Disk extends Pick<ResourceProvider, 'templates' | 'list' | 'read'> {
  complete: NonNullable<ResourceProvider['complete']>;
  readonly control: DiskControl;
  /** The tools that exist from the first mount on, for the server to define. */
  readonly tools: readonly unknown[];
  /** Whether the folder of an address is open to guests. */
  isOpen(uri: string): boolean;
  /** The question to the user before a write. Rejects like {@link write}. */
  question(tool: DiskTool, input: DiskArguments, permitted: PermittedUris): Promise<string>;
  write(
    tool: DiskTool,
    input: DiskArguments,
    call: DiskCall,
    permitted: PermittedUris,
  ): Promise<ToolAnswer<DiskAnswer>>;
  search(
    input: DiskSearch,
    call: DiskCall,
    permitted: PermittedUris,
  ): Promise<{ matches: DiskMatch[]; isComplete: boolean }>;
}

/** A file or a folder whose path contains the words of a search. */
export interface DiskMatch {
  path: string;
  uri: string;
}

/** The parts that the server passes to the folders, because their script has no copy of them. */
export interface DiskParts {
  emit(changes: readonly ResourceChange[]): void;
  /** Reports the states of all folders. */
  report(folders: FolderInfo[]): void;
  /** Whether patterns in the syntax of `.gitignore` exclude each path. */
  ignored(patterns: readonly string[], paths: readonly string[]): Promise<readonly boolean[]>;
  blobContents: typeof blobContents;
  completionOf: typeof completionOf;
  createWordMatcher: typeof createWordMatcher;
  contentMeta: typeof contentMeta;
  typeOf(name: string): string | undefined;
  // These classes are passed, because classes are compared by their identity.
  ProtocolError: typeof ProtocolError;
  ToolError: typeof ToolError;
  BadPositionError: typeof BadPositionError;
  internalError: typeof ErrorCode.InternalError;
}

/** Creates the {@link Disk}. */
export type CreateDisk = (parts: DiskParts) => Disk;
