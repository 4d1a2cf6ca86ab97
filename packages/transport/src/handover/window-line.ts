/**
 * Where a window stands to this one. All of it is read from `parent`, which a window of any origin
 * may read of any other.
 */

/** Whether a window holds this one, or is held by it, at any depth. A popup or a sibling is neither. */
export function isOfOurLine(other: Window): boolean {
  return isInside(other, window) || holdsUs(other);
}

/** Whether a window holds this one, at any depth: its end is ours. */
export function holdsUs(other: Window): boolean {
  return isInside(window, other);
}

/**
 * The frame of this window that a window is in, at any depth; the window itself where it is in none.
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

/** A top window is its own parent; one whose frame was removed has none. */
function parentOf(frame: Window): Window | undefined {
  const parent = frame.parent as Window | null | undefined;
  return parent && parent !== frame ? parent : undefined;
}
