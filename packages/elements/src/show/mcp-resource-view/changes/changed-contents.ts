import type { ResourceContents } from '@inpage-mcp/client';
import type { ResourceReading } from '../../../reading/resource-controller.js';
import { sizeOf } from '../../../reading/content-size.js';
import { factsIn } from '../../../reading/resource-facts.js';

/** Whether a reading shows other contents than the one before of the same resource. */
export function isChanged(before: ResourceReading, after: ResourceReading): boolean {
  const [old, now] = [before.result.contents, after.result.contents];
  if (old.length !== now.length) return true;
  const isPart = before.part !== undefined || after.part !== undefined;
  return old.some((one, index) => differ(one, now[index]!, isPart));
}

function differ(old: ResourceContents, now: ResourceContents, isPart: boolean): boolean {
  if ('text' in old && 'text' in now) {
    // The user may have asked for more of the same.
    const length = isPart ? Math.min(old.text.length, now.text.length) : Infinity;
    return old.text.slice(0, length) !== now.text.slice(0, length);
  }
  if (!('blob' in old && 'blob' in now) || old.blob !== now.blob) return true;
  // The bytes of a handle are not read.
  return factsIn(old).revision !== factsIn(now).revision;
}

/** How many bytes the contents had that have changed and are not texts, and have; none if all are. */
export function bytesOfChanged(
  before: ResourceReading | undefined,
  after: ResourceReading | undefined,
): number[] {
  const [old, now] = [before, after].map((reading) => reading?.result.contents ?? []);
  const pairs = now!.flatMap((one, index) => {
    const other =
      old!.length === now!.length ? old![index]! : old!.find(({ uri }) => uri === one.uri);
    const isBytes = other && 'blob' in one && 'blob' in other && differ(other, one, false);
    return isBytes ? [[sizeOf(other), sizeOf(one)] as const] : [];
  });
  if (pairs.length === 0) return [];
  return [0, 1].map((at) => pairs.reduce((sum, pair) => sum + pair[at]!, 0));
}

/** The texts that are shown, one for each text node, to compare another version with. */
export function shownTexts(root: ParentNode): Text[] {
  return Array.from(root.querySelectorAll('.portion'), textsIn).flat();
}

function textsIn(portion: Element): Text[] {
  const walker = document.createTreeWalker(portion, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  return texts;
}
