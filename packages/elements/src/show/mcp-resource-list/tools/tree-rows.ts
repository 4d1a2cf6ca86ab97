import { groupLabel } from '../rows/groups.js';
import { GROUP_KEY, type TreeNode } from './resource-tree.js';
import type { Row, Rows } from '../rows/row.js';

/** Which folders are open. Files are open at first, and so is a single group. */
export class OpenFolders {
  readonly #changed = new Map<string, boolean>();

  isOpen(key: string, isOnly = false): boolean {
    return this.#changed.get(key) ?? (isOnly || key === 'group file:');
  }

  set(key: string, isOpen: boolean): void {
    this.#changed.set(key, isOpen);
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
    const label = level === 1 ? groupLabel(key.slice(GROUP_KEY.length)) : node.label;
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
    else if (isForwards) return isOpen ? index + 1 : index;
    else return Math.max(0, parent);
    return index;
  }

  #add(nodes: readonly TreeNode[], level: number, parent: number): void {
    for (const [index, node] of nodes.entries()) {
      const { key, children } = node;
      const isOnly = level === 1 && nodes.length === 1;
      const isOpen = children && this.#open.isOpen(key, isOnly);
      const setSize = nodes.length;
      this.#lines.push({ node, level, place: index + 1, setSize, parent, isOpen });
      if (isOpen) this.#add([...children.values()], level + 1, this.#lines.length - 1);
    }
  }
}
