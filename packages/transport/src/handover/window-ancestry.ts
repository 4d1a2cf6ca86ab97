/** The relation of a window to this one. Only `parent` is read, which is readable across origins. */

/** Whether a window contains this one, or is inside it, at any depth. A popup or a sibling is neither. */
export function isAncestorOrDescendant(other: Window): boolean {
  return isInside(other, window) || isAncestor(other);
}

/** Whether a window contains this one, at any depth: when that window ends, this one ends too. */
export function isAncestor(other: Window): boolean {
  return isInside(window, other);
}

/**
 * The frame of this window that contains a window, at any depth; the window itself if no frame does.
 */
export function outermostFrame(inner: Window): Window {
  for (let frame = inner; ; frame = frame.parent) {
    const parent = parentOf(frame);
    if (parent === window) return frame;
    if (parent === undefined) return inner;
  }
}

function isInside(inner: Window, outer: Window): boolean {
  for (let parent = parentOf(inner); parent; parent = parentOf(parent)) {
    if (parent === outer) return true;
  }
  return false;
}

/**
 * The parent of a window; `undefined` for a top window, which is its own parent, and for the window of a
 * removed frame.
 */
function parentOf(frame: Window): Window | undefined {
  const parent = frame.parent as Window | null | undefined;
  return parent && parent !== frame ? parent : undefined;
}
