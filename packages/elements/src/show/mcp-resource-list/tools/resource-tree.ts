import type { Resource } from '@inpage-mcp/client';
import type { Slices } from '../../../reading/slices.js';
import { nameOf } from '../../../base/text/name-of.js';
import { groupOf, OTHER } from '../rows/groups.js';
import { isFolder } from './resource-facts.js';

/** A group, a folder or a resource. */
export interface TreeNode {
  key: string;
  label: string;
  resource: Resource | undefined;
  /** By their names; `undefined` for what has none. */
  children: Map<string, TreeNode> | undefined;
}

/** The beginning of the key of a group; the group follows. */
export const GROUP_KEY = 'group ';

/** How many folders lie in one another; with the group and the resource, a tree has 30 levels. */
const MAX_FOLDERS = 28;

/** How much of an address is taken for its path. */
const MAX_LENGTH = 2_048;

/** How many resources are put into the tree before the time is looked at. */
const CHUNK = 64;

/** Puts resources into the folders of their addresses, in slices; the groups are at the top. */
export async function treeOf(resources: readonly Resource[], slices: Slices): Promise<TreeNode[]> {
  const groups = new Map<string, TreeNode>();
  let group: string | undefined;
  for (const [index, resource] of resources.entries()) {
    if (index % CHUNK === 0) await slices.next();
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
  // What lies deeper is shown in the last folder.
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
  // No name of a folder has a slash.
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
