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

/** Whether an address is that of something on the disk. */
export function isDiskUri(uri: string): boolean {
  return uri.startsWith(DISK_URI);
}

/** Under this name the script of the folders leaves {@link CreateDisk} in the worker. */
export const DISK_KEY = 'inpage-mcp: disk';

/** How to mount a folder. */
export interface MountOptions {
  /**
   * The first name in its addresses, `disk:///{name}/`: 1 to 255 characters, at most 1,000 of the
   * address, no slash. Default: that of the handle, with a number behind it if another folder has it.
   */
  name?: string | undefined;
  /** Whether tools may write; the user must have permitted it. Default: false. */
  write?: boolean | undefined;
  /**
   * What is left out, besides the names that always are: `gitignore` for the `.gitignore` files of the
   * folder, or patterns in their syntax. Default: nothing.
   */
  ignore?: 'gitignore' | readonly string[] | undefined;
  /** Whether guests may see it whose access names it; `read: 'all'` does not. Default: false. */
  guests?: boolean | undefined;
}

/** A mounted folder. */
export interface FolderInfo {
  /** The first name in its addresses. */
  name: string;
  /** `disk:///{name}/`. */
  uri: string;
  /**
   * - `ready`: it is served.
   * - `permission`: the user has to allow it again.
   * - `gone`: it is not where it was.
   */
  state: 'ready' | 'permission' | 'gone';
  /** Whether tools may write. */
  write: boolean;
  /** Whether guests may see it. */
  guests: boolean;
}

/** What the page may do with folders. */
export interface DiskControl {
  /** Mounts a folder; one that is mounted gets these options. */
  mount(handle: FileSystemDirectoryHandle, options?: MountOptions): Promise<FolderInfo>;
  /** Does nothing if there is no folder with this name. */
  unmount(name: string): Promise<void>;
  /** Looks what has changed that the browser has not reported. */
  refresh(): Promise<FolderInfo[]>;
}

/** The tools that write to the disk, too. */
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

/** The answer of a {@link DiskTool}; each has its own part of it. */
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

/** What the folders are given by the server, of which their script has no copy. */
export interface DiskParts {
  emit(changes: readonly ResourceChange[]): void;
  /** Reports the states of all folders. */
  report(folders: FolderInfo[]): void;
  /** Which paths patterns in the syntax of `.gitignore` leave out. */
  ignored(patterns: readonly string[], paths: readonly string[]): Promise<readonly boolean[]>;
  blobContents: typeof blobContents;
  completionOf: typeof completionOf;
  createWordMatcher: typeof createWordMatcher;
  contentMeta: typeof contentMeta;
  typeOf(name: string): string | undefined;
  // Classes are compared by their identity.
  ProtocolError: typeof ProtocolError;
  ToolError: typeof ToolError;
  BadPositionError: typeof BadPositionError;
  internalError: typeof ErrorCode.InternalError;
}

/** Makes the {@link Disk}. */
export type CreateDisk = (parts: DiskParts) => Disk;
