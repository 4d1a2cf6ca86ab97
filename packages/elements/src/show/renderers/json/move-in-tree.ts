import { indexForKey } from '../../../base/rows/row-keys.js';
import type { JsonTree } from './json-tree.js';

/**
 * What a key does in a tree (ARIA Authoring Practices, tree view): opens or closes nodes, and says
 * which node is active then. `undefined` for a key that does nothing here.
 */
export function moveInTree(
  tree: JsonTree,
  active: number,
  key: string,
  isRtl: boolean,
  rowsPerPage: number,
): number | undefined {
  const row = Math.max(0, tree.rowOf(active));
  const rowAt = (index: number): number =>
    tree.nodeOf(Math.max(0, Math.min(index, tree.count - 1)));
  switch (key) {
    case 'ArrowRight':
      return isRtl ? moveOut(tree, active) : moveIn(tree, active);
    case 'ArrowLeft':
      return isRtl ? moveIn(tree, active) : moveOut(tree, active);
    case 'Enter':
    case ' ':
      tree.toggle(active);
      return active;
    case '*':
      return openSiblings(tree, active);
    default: {
      const index = indexForKey(key, row, tree.count, rowsPerPage);
      return index === undefined ? undefined : rowAt(index);
    }
  }
}

/** Opens a node; of an open one, its first entry is active then. */
function moveIn(tree: JsonTree, active: number): number {
  if (!tree.isExpandable(active)) return active;
  if (tree.isOpen(active)) return active + 1;
  tree.toggle(active, true);
  return active;
}

/** Closes a node; of one that is not open, the node around it is active then. */
function moveOut(tree: JsonTree, active: number): number {
  if (!tree.isOpen(active)) return Math.max(0, tree.index.parentOf(active));
  tree.toggle(active, false);
  return active;
}

function openSiblings(tree: JsonTree, active: number): number {
  tree.openEntries(Math.max(0, tree.index.parentOf(active)));
  return active;
}
