import type { ResourceContents } from '@inpage-mcp/client';
import { Slices } from '../../../reading/slices.js';
import { readText } from '../../renderers/reading.js';
import type { RendererElement } from '../../renderers/renderer.js';
import type { MarkedChange } from './marked-change.js';
import { compareSources, type SourceChange } from './source-changes.js';

/** The renderers that show texts, and mark what has changed in them. */
const OF_TEXTS = ['code', 'json', 'table', 'html'].map((kind) => `mcp-view-${kind}`).join();

/** What there was before an update, and how to look for what it has changed. */
interface Search {
  before: readonly ResourceContents[];
  /** Whether only the beginning of the resource was read: what stands at its end may go on. */
  isPartial: boolean;
  max: number;
  signal: AbortSignal;
}

/** Marks what an update has changed in the texts that renderers show. Rejects when it is aborted. */
export async function markRenderers(root: ParentNode, search: Search): Promise<MarkedChange[]> {
  const marked: MarkedChange[] = [];
  for (const element of root.querySelectorAll<RendererElement>('.renderer')) {
    const { contents } = element;
    if (!contents || !element.matches(OF_TEXTS)) continue;
    const before = versionBefore(contents, search.before);
    const max = search.max - marked.length;
    if (before && max > 0)
      marked.push(...(await markOne(element, before, contents, { ...search, max })));
  }
  return marked;
}

/** The contents of the same address; where there is only one, that one. */
function versionBefore(
  { uri }: ResourceContents,
  before: readonly ResourceContents[],
): ResourceContents | undefined {
  return before.length === 1 ? before[0] : before.find((one) => one.uri === uri);
}

async function markOne(
  element: RendererElement,
  before: ResourceContents,
  contents: ResourceContents,
  { isPartial, max, signal }: Search,
): Promise<MarkedChange[]> {
  const slices = new Slices(signal, () => undefined);
  const [old, now] = [await readText(before, slices), await readText(contents, slices)];
  const found = (await compareSources(old.text, now.text, slices)) ?? [];
  signal.throwIfAborted();
  const isCut = isPartial || old.isCut || now.isCut;
  const isWhole = ({ end }: SourceChange): boolean => !isCut || end < now.text.trimEnd().length;
  const places = found.filter(isWhole).slice(0, max);
  const goTo = (current: number) => (): void => {
    element.changes = { contents, places, current };
  };
  goTo(-1)();
  return places.map(({ added, removed }, index) => ({
    added,
    removed,
    enter: () => {
      element.scrollIntoView({ block: 'nearest' });
      goTo(index)();
    },
    leave: goTo(-1),
  }));
}

/** Removes the marks in renderers. */
export function clearRenderers(root: ParentNode): void {
  for (const element of root.querySelectorAll<RendererElement>('.renderer'))
    element.changes = undefined;
}
