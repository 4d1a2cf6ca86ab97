import type { McpClient, ResourceContents } from '@inpage-mcp/client';
import '@inpage-mcp/elements/all';
import type { McpResourceView } from '@inpage-mcp/elements';
import { fixture, html } from '@open-wc/testing';
// Internal: `<mcp-resource-view>` chooses, loads and creates renderers.
import type { RendererElement } from '../../packages/elements/src/show/renderers/renderer.js';
import {
  kindOf,
  loadRenderer,
  type RendererTag,
} from '../../packages/elements/src/show/mcp-resource-view/content/kinds.js';
import { Slices } from '../../packages/elements/src/reading/slices.js';
import { eventually, frames } from './elements.js';
import { leastBlocking } from './slowness.js';

/** Contents of a text. */
export const textOf = (text: string, mimeType: string, uri = 'a:b'): ResourceContents => ({
  uri,
  mimeType,
  text,
});

/** Contents of bytes, as a handle. */
export const bytesOf = (parts: BlobPart[], mimeType?: string, uri = 'a:b'): ResourceContents => ({
  uri,
  ...(mimeType !== undefined && { mimeType }),
  blob: '',
  _meta: { 'io.github.inpage-mcp/blob': new Blob(parts) },
});

/** The renderer of some contents, once it shows them. Rejects where it refuses them. */
export async function show(
  contents: ResourceContents,
  partial = false,
  tag = kindOf(contents) as RendererTag,
): Promise<RendererElement> {
  await loadRenderer(tag);
  const element = document.createElement(tag) as RendererElement;
  element.partial = partial;
  element.onmore = () => void update(element, contents);
  await fixture(html`<div>${element}</div>`);
  await update(element, contents);
  return element;
}

/** Has a renderer show other contents. */
export async function update(element: RendererElement, contents: ResourceContents): Promise<void> {
  await element.show(contents, new Slices(new AbortController().signal, () => undefined));
  await element.updateComplete;
}

/** A view of contents, and a function that changes them. */
export async function showVersions(
  first: ResourceContents[],
): Promise<{ view: McpResourceView; change: (contents: ResourceContents[]) => void }> {
  let contents = first;
  let notify = (): void => undefined;
  const client = {
    readResource: async (): Promise<{ contents: ResourceContents[] }> => ({ contents }),
    watch: (_uri: string, listener: () => void) => (notify = listener),
    watchState: () => undefined,
  } as never as McpClient;
  const view = await fixture<McpResourceView>(
    html`<mcp-resource-view .client=${client} uri="a:b" mode="formatted"></mcp-resource-view>`,
  );
  const change = (next: ResourceContents[]): void => {
    contents = next;
    notify();
  };
  return { view, change };
}

/** A view of contents, once they are there. */
export async function showInView(contents: ResourceContents): Promise<McpResourceView> {
  const { view } = await showVersions([contents]);
  await eventually(() => view.shadowRoot!.querySelector('.renderer, .portion, .download, .image'));
  return view;
}

/** All elements inside an element. */
export const all = (element: Element, selector: string): HTMLElement[] => [
  ...element.shadowRoot!.querySelectorAll<HTMLElement>(selector),
];

/** What is in all elements inside a renderer, without the space around it. */
export const textsOf = (element: Element, selector: string): string[] =>
  all(element, selector).map(({ textContent }) => textContent.trim());

/** Waits until an element shows a text. */
export const shows = (element: Element, text: string): Promise<true> =>
  eventually(() => element.shadowRoot!.textContent.includes(text));

/** How long showing contents and scrolling through them blocks the page: see {@link leastBlocking}. */
export async function longestTaskOf(contents: ResourceContents): Promise<number> {
  return await leastBlocking(100, async () => {
    const view = await showInView(contents);
    view.style.cssText = 'display: block; block-size: 600px; overflow: auto';
    const inner = view.shadowRoot!.querySelector('.renderer')?.shadowRoot;
    const scroller = inner?.querySelector('.scroller') ?? view;
    for (const part of [0.5, 1, 0]) {
      scroller.scrollTop = scroller.scrollHeight * part;
      await frames(4);
    }
    view.remove();
  });
}
