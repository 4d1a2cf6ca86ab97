import { ErrorCode, ProtocolError, ToolError } from '@inpage-mcp/protocol';
import { typeOfTextName } from '@inpage-mcp/store';
import { callSafely } from '@inpage-mcp/transport';
import { completionOf, createWordMatcher } from '../resources/completions.js';
import { blobContents } from '../resources/contents/binary-extension.js';
import {
  DISK_KEY,
  type CreateDisk,
  type Disk,
  type DiskControl,
  type DiskNotLoaded,
  type DiskParts,
} from '../resources/disk/disk-types.js';
import { contentMeta } from '../resources/resource-annotations.js';
import {
  BadPositionError,
  type ResourceChangeListener,
  type ResourceProvider,
} from '../resources/resource-provider.js';
import { loadScript } from './load-script.js';

/** The page's part of {@link DiskParts}. */
export type PageOfDisk = Pick<DiskParts, 'report' | 'ignored'>;

/** The parts of the server of which the script of the folders has no copy. */
export const SHARED_WITH_DISK: Omit<DiskParts, 'emit' | 'report' | 'ignored'> = {
  blobContents,
  completionOf,
  createWordMatcher,
  contentMeta,
  typeOf: typeOfTextName,
  ProtocolError,
  ToolError,
  BadPositionError,
  internalError: ErrorCode.InternalError,
};

/** The folders of the disk. Empty until the page mounts the first one, which loads their script. */
export class LazyDisk implements ResourceProvider {
  readonly name = 'disk';
  templates: Disk['templates'] = [];
  list: Disk['list'] = async () => ({ resources: [] });
  read: Disk['read'] = async () => undefined;
  complete: Disk['complete'] = async () => ({ values: [], total: 0 });
  /** Whether guests may see an address. */
  isOpen: Disk['isOpen'] = () => false;
  page: PageOfDisk | undefined;
  readonly #addTool: (definition: unknown) => void;
  readonly #onchange: () => void;
  readonly #listeners = new Set<ResourceChangeListener>();
  #disk: Disk | undefined;
  #isServed = false;

  /**
   * @param addTool Adds a tool of the folders to the server.
   * @param onchange Called when the folders, or their access for guests, have changed.
   */
  constructor(addTool: (definition: unknown) => void, onchange: () => void) {
    this.#addTool = addTool;
    this.#onchange = onchange;
  }

  /** Returns the folders as a provider of a server. */
  serve(): this {
    this.#isServed = true;
    return this;
  }

  /**
   * Loads the folders.
   *
   * @param script The address of a script that leaves `createDisk` under {@link DISK_KEY}.
   * @throws {Error} with the code {@link DiskNotLoaded}, or without one if the server has no folders.
   */
  async load(script: string): Promise<DiskControl> {
    if (!this.#isServed || !this.page) throw new Error('The worker has no provider disk().');
    const createDisk = (await loadScript(script, DISK_KEY).catch(throwNotLoaded)) as CreateDisk;
    return (this.#disk ??= this.#create(createDisk, this.page)).control;
  }

  #create(createDisk: CreateDisk, page: PageOfDisk): Disk {
    const disk = createDisk({
      ...page,
      report: (folders) => {
        page.report(folders);
        this.#onchange();
      },
      emit: (changes) => {
        for (const listener of this.#listeners) callSafely(() => listener(changes));
      },
      ...SHARED_WITH_DISK,
    });
    disk.tools.forEach(this.#addTool);
    const { templates, list, read, complete, isOpen } = disk;
    Object.assign(this, { templates, list, read, complete, isOpen });
    return disk;
  }

  /**
   * The folders for tools.
   *
   * @throws {ToolError} as long as no folder is mounted.
   */
  get forTools(): Disk {
    if (!this.#disk) throw new ToolError('There is no folder of the disk.');
    return this.#disk;
  }

  listen(listener: ResourceChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

function throwNotLoaded(cause: unknown): never {
  const error = new Error('The code of the folders could not be loaded.', { cause });
  throw Object.assign(error, { code: 'disk-not-loaded' satisfies DiskNotLoaded });
}
