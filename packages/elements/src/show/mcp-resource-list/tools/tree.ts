import type { Resource } from '@inpage-mcp/client';
import { nameOf } from '../../../base/text/name-of.js';
import { isOnDisk } from '../../../reading/disk.js';
import type { Slices } from '../../../reading/slices.js';
import { groupLabel, groupOf, OTHER, type Row, type Rows } from '../rows/rows.js';
import { isFolder } from './filters.js';

/** A group, a folder or a resource. */
export interface TreeNode {
  key: string;
  label: string;
  resource: Resource | undefined;
  /** The children by their names; `undefined` for a node that cannot have any. */
  children: Map<string, TreeNode> | undefined;
}

/** The beginning of the key of a group; the group follows. */
const GROUP_KEY = 'group ';

/** The maximum depth of nested folders; with the group and the resource, a tree has 30 levels. */
const MAX_FOLDERS = 28;

/** The length of the part of an address that is used as its path. */
const MAX_LENGTH = 2_048;

/** The number of resources that are put into the tree before the time is checked. */
const CHUNK = 64;

/**
 * Puts resources into the folders of their addresses, in slices; the groups are at the top.
 *
 * @param mountOf Makes the group of a folder of the disk, whose children are not among the resources.
 */
export async function treeOf(
  resources: readonly Resource[],
  slices: Slices,
  mountOf?: (resource: Resource) => TreeNode,
): Promise<TreeNode[]> {
  const groups = new Map<string, TreeNode>();
  let group: string | undefined;
  for (const [index, resource] of resources.entries()) {
    if (index % CHUNK === 0) await slices.next();
    if (mountOf && isOnDisk(resource.uri)) {
      groups.set(resource.uri, mountOf(resource));
      continue;
    }
    group = groupOf(resource.uri, group);
    const root = childOf(groups, group, `${GROUP_KEY}${group}`, group);
    addTo(root, resource, pathOf(resource.uri, group));
  }
  return [...groups.values()];
}

function pathOf(uri: string, group: string): string {
  return uri.slice(group === OTHER ? 0 : group.length, MAX_LENGTH);
}

function addTo(root: TreeNode, resource: Resource, path: string): void {
  const names = path.split('/').filter(Boolean);
  const isOwnFolder = isFolder(resource.uri, resource.mimeType) && names.length <= MAX_FOLDERS;
  // Deeper resources are shown in the last folder.
  const own = (isOwnFolder ? names : names.slice(0, -1)).slice(0, MAX_FOLDERS);
  let folder = root;
  let key = root.key;
  for (const name of own) {
    key += `/${name}`;
    folder = childOf(folder.children!, name, key, nameOf(name));
  }
  if (isOwnFolder && folder !== root) Object.assign(folder, { resource, key: resource.uri });
  else addLeaf(folder, resource);
}

function addLeaf(folder: TreeNode, resource: Resource): void {
  const { uri, title, name } = resource;
  const label = title && !title.includes('/') ? title : name;
  // A name of a folder contains no slash.
  folder.children!.set(`/${uri}`, { key: uri, label, resource, children: undefined });
}

function childOf(
  children: Map<string, TreeNode>,
  name: string,
  key: string,
  label: string,
): TreeNode {
  const known = children.get(name);
  if (known) return known;
  const node = { key, label, resource: undefined, children: new Map() };
  children.set(name, node);
  return node;
}

/** The maximum size of a group that is open at first. A larger group would push the next ones out of view. */
const MAX_OPEN_AT_FIRST = 50;

/**
 * The folders that are open. At first these are the files, a single group, and each group of up to 50
 * entries.
 */
export class OpenFolders {
  readonly #open = new Map<string, boolean>();

  isOpen(key: string): boolean {
    return this.#open.get(key) ?? key === 'group file:';
  }

  set(key: string, isOpen: boolean): void {
    this.#open.set(key, isOpen);
  }

  /**
   * Decides on a group that is seen for the first time. The decision stays while entries are added and
   * removed.
   */
  meet(key: string, isOnly: boolean, size: number): void {
    const isSmall = size <= MAX_OPEN_AT_FIRST && key.startsWith(GROUP_KEY);
    if (!this.#open.has(key) && (isOnly || isSmall)) this.#open.set(key, true);
  }
}

interface Line {
  node: TreeNode;
  level: number;
  place: number;
  setSize: number;
  parent: number;
  isOpen: boolean | undefined;
}

/** The rows of a tree, without those in closed folders. */
export class TreeRows implements Rows {
  readonly role = 'tree';
  readonly headings = [];
  /** The keys of the open folders. */
  readonly opened = new Set<string>();
  readonly #lines: Line[] = [];
  readonly #open: OpenFolders;
  #indexes: Map<string, number> | undefined;

  constructor(roots: readonly TreeNode[], open: OpenFolders) {
    this.#open = open;
    this.#add(roots, 1, -1);
  }

  get length(): number {
    return this.#lines.length;
  }

  keyAt(index: number): string {
    return this.#lines[index]!.node.key;
  }

  at(index: number): Row {
    const { node, level, place, setSize, isOpen } = this.#lines[index]!;
    const { key, resource } = node;
    // The language may have changed since the tree was made.
    const isGroup = level === 1 && key.startsWith(GROUP_KEY);
    const label = isGroup ? groupLabel(key.slice(GROUP_KEY.length)) : node.label;
    return { key, label, resource, id: index, level, place, setSize, isOpen };
  }

  indexOf(key: string | undefined): number {
    this.#indexes ??= new Map(this.#lines.map(({ node }, index) => [node.key, index]));
    return key === undefined ? -1 : (this.#indexes.get(key) ?? -1);
  }

  groupAt(): string {
    return '';
  }

  toggle(index: number): void {
    const { node, isOpen } = this.#lines[index]!;
    if (isOpen !== undefined) this.#open.set(node.key, !isOpen);
  }

  across(index: number, isForwards: boolean): number {
    const { isOpen, parent } = this.#lines[index]!;
    if (isOpen === !isForwards) this.toggle(index);
    // A folder that is open may be empty.
    else if (isForwards) return this.#lines[index + 1]?.parent === index ? index + 1 : index;
    else return Math.max(0, parent);
    return index;
  }

  #add(nodes: readonly TreeNode[], level: number, parent: number): void {
    for (const [index, node] of nodes.entries()) {
      const { key, children } = node;
      if (level === 1 && children) this.#open.meet(key, nodes.length === 1, children.size);
      const isOpen = children && this.#open.isOpen(key);
      const setSize = nodes.length;
      this.#lines.push({ node, level, place: index + 1, setSize, parent, isOpen });
      if (!isOpen) continue;
      this.opened.add(key);
      this.#add([...children.values()], level + 1, this.#lines.length - 1);
    }
  }
}
