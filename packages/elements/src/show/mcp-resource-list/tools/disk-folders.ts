import type { McpClient, Resource } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import type { ReactiveController } from 'lit';
import { formatError } from '../../../base/text/format.js';
import { DISK, isOnDisk } from '../../../reading/disk.js';
import {
  folderStateInWords,
  folderStateOf,
  McpFolderAllowEvent,
  readFolder,
} from '../../../reading/folders.js';
import { isMissing } from '../../../reading/gate.js';
import type { Cursor } from '../rows/cursor.js';
import { MAX_RESOURCES } from '../rows/rows.js';
import { hasControl } from './multi-selection.js';
import type { TreeNode } from './tree.js';

/** The time for which changes are collected before a folder is read again, in milliseconds. */
const REST_MS = 100;

interface Folder {
  uri: string;
  client: McpClient;
  nodeOf: (child: Resource) => TreeNode;
  onchange: () => void;
}

/** An open folder. It is read as far as the user has scrolled, and again after each change. */
class OpenFolder {
  children = new Map<string, TreeNode>();
  isRead = false;
  error: unknown;
  readonly #folder: Folder;
  readonly #end = new AbortController();
  #reading: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStale = true;
  #next: string | undefined;
  #last: string | undefined;
  /** The minimum number of children to read. */
  #wanted = 1;

  constructor(folder: Folder) {
    this.#folder = folder;
    folder.client.watch(folder.uri, () => this.refresh(), { signal: this.#end.signal });
    this.#request(0);
  }

  /** Reads the folder again, once for all the changes within a short time. */
  refresh(): void {
    this.#isStale = true;
    this.#request(REST_MS);
  }

  /** Continues to read if the last of its children is visible. */
  goOn(inSight: ReadonlySet<string>): void {
    const isDue = this.#last !== undefined && inSight.has(this.#last) && !this.error;
    if (!isDue || this.#next === undefined || this.children.size >= MAX_RESOURCES) return;
    this.#wanted = this.children.size + 1;
    this.#request(0);
  }

  stop(): void {
    this.#end.abort();
    clearTimeout(this.#timer);
  }

  #request(delayMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#reading = this.#reading.then(() => this.#read());
    }, delayMs);
  }

  async #read(): Promise<void> {
    const { uri, client, nodeOf, onchange } = this.#folder;
    const { signal } = this.#end;
    const found = new Map(this.#isStale ? [] : this.children);
    let next = this.#isStale ? uri : this.#next;
    this.#isStale = false;
    try {
      while (next !== undefined && found.size < this.#wanted) {
        const before = found.size;
        const page = await readFolder(client, next, signal);
        for (const child of page.children) found.set(child.uri, nodeOf(child));
        // A part without new children is the last.
        next = found.size > before ? page.next : undefined;
      }
      this.error = undefined;
      this.children = found;
      this.#next = next;
      this.#last = [...found.keys()].at(-1);
    } catch (error) {
      this.error = error;
    }
    this.isRead = true;
    if (!signal.aborted) onchange();
  }
}

/**
 * The mounted folders of a server of this project. A tree reads only the open ones, and the user may have to
 * allow them again. Loaded when a list reaches the first of them.
 */
export class DiskFolders implements ReactiveController {
  readonly #host: HTMLElement & { readonly renderRoot: ParentNode };
  readonly #cursor: Cursor;
  readonly #onchange: () => void;
  #client: McpClient | undefined;
  /** The folder that contains all mounted folders. */
  #root: OpenFolder | undefined;
  readonly #open = new Map<string, OpenFolder>();
  #resources: readonly Resource[] = [];
  #listed: { of: unknown; all: readonly Resource[] } | undefined;

  /** @param onchange Called when the rows of the tree have changed. */
  constructor(
    host: HTMLElement & { readonly renderRoot: ParentNode },
    cursor: Cursor,
    onchange: () => void,
  ) {
    this.#host = host;
    this.#cursor = cursor;
    this.#onchange = onchange;
    for (const type of ['click', 'keydown'] as const) host.addEventListener(type, this.#onAct);
  }

  /**
   * The resources of a list, in which the mounted folders replace all resources inside them. If the server
   * does not let this client read the list of folders, the resources stay as they are.
   */
  listed(client: McpClient, resources: readonly Resource[]): readonly Resource[] {
    if (client !== this.#client) this.stop();
    this.#client = client;
    if (!this.#root) this.#root = this.#openFolder(DISK);
    else if (resources !== this.#resources) this.#root.refresh();
    const { children, error } = this.#root;
    if (isMissing(error)) return (this.#resources = resources);
    if (resources !== this.#resources || children !== this.#listed?.of) {
      const mounts = [...children.values()].map(({ resource }) => resource!);
      const all = [...resources.filter(({ uri }) => !isOnDisk(uri)), ...mounts];
      this.#listed = { of: children, all };
    }
    this.#resources = resources;
    return this.#listed.all;
  }

  /** A node of the tree: a file, or a folder, which is empty until it is open. */
  readonly nodeOf = (resource: Resource): TreeNode => {
    const { uri, name } = resource;
    const childrenNow = () => this.#open.get(uri)?.children ?? new Map<string, TreeNode>();
    const canOpen = uri.endsWith('/') && !folderStateOf(resource);
    return {
      key: uri,
      label: name.replace(/\/$/, ''),
      resource,
      get children() {
        return canOpen ? childrenNow() : undefined;
      },
    };
  };

  /** Reads the folders that are open now, and stops reading all others. */
  show(open: ReadonlySet<string>): void {
    for (const [uri, folder] of this.#open) {
      if (open.has(uri)) continue;
      folder.stop();
      this.#open.delete(uri);
    }
    for (const uri of open)
      if (isOnDisk(uri) && !this.#open.has(uri)) this.#open.set(uri, this.#openFolder(uri));
  }

  /** The text about the state of a folder in its row; `undefined` for all other rows. */
  wordsOf(resource: Resource): string | undefined {
    const state = folderStateOf(resource);
    if (state) return folderStateInWords(state);
    const folder = this.#open.get(resource.uri);
    if (folder?.error) return formatError(folder.error);
    return folder?.isRead === false ? msg('Loading', { id: 'mcp.loading' }) : undefined;
  }

  hostUpdated(): void {
    if (this.#open.size === 0) return;
    const rows = this.#host.renderRoot.querySelectorAll<HTMLElement>('[data-index]');
    const keyOf = ({ dataset }: HTMLElement) => this.#cursor.rows.keyAt(Number(dataset['index']));
    const inSight = new Set(Array.from(rows, keyOf));
    for (const folder of this.#open.values()) folder.goOn(inSight);
  }

  /** Ends all reads; the next call of {@link listed} begins again. */
  stop(): void {
    this.show(new Set());
    this.#root?.stop();
    this.#root = this.#listed = undefined;
  }

  #openFolder(uri: string): OpenFolder {
    const { nodeOf } = this;
    return new OpenFolder({ uri, client: this.#client!, nodeOf, onchange: this.#onchange });
  }

  /** This runs after the list itself, for which the row is active by then. */
  readonly #onAct = (event: MouseEvent | KeyboardEvent): void => {
    const target = event.composedPath()[0] as Element;
    const isClick = event.type === 'click' && event.detail < 2 && target.closest('.row');
    const isKey = 'key' in event && event.key === 'Enter' && target.closest('.scroller');
    const { rows, index } = this.#cursor;
    if (!(isClick || isKey) || hasControl(event) || event.shiftKey || index < 0) return;
    const { resource } = rows.at(index);
    if (resource && folderStateOf(resource) === 'permission')
      this.#host.dispatchEvent(new McpFolderAllowEvent(resource.uri));
  };
}
