import type { ResourceContents } from '@inpage-mcp/client';
import { fixture, html } from '@open-wc/testing';
// Internal: `<mcp-resource-view>` chooses, loads and creates renderers.
import type { RendererElement } from '../../packages/elements/src/show/renderers/renderer.js';
import { rendererFor } from '../../packages/elements/src/show/renderers/renderers.js';
import { eventually } from './elements.js';
import { frames, leastBlocking } from './longest-task.js';

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

/** The renderer of some contents, as soon as it shows them. */
export async function show(contents: ResourceContents, partial = false): Promise<RendererElement> {
  const { tag, load } = rendererFor(contents)!;
  await load();
  const element = document.createElement(tag) as RendererElement;
  element.contents = contents;
  element.partial = partial;
  await fixture(html`<div>${element}</div>`);
  await eventually(() => !element.shadowRoot!.querySelector('.skeletons'));
  return element;
}

/** All elements inside a renderer. */
export const all = (element: Element, selector: string): HTMLElement[] => [
  ...element.shadowRoot!.querySelectorAll<HTMLElement>(selector),
];

/** What is in all elements inside a renderer, without the space around it. */
export const textsOf = (element: Element, selector: string): string[] =>
  all(element, selector).map(({ textContent }) => textContent.trim());

/** Waits until a renderer shows a text. */
export const shows = (element: Element, text: string): Promise<true> =>
  eventually(() => element.shadowRoot!.textContent.includes(text));

/** How long showing contents and scrolling through them blocks the page: see {@link leastBlocking}. */
export async function longestTaskOf(contents: ResourceContents): Promise<number> {
  await rendererFor(contents)!.load();
  return await leastBlocking(100, async () => {
    const element = await show(contents);
    const scroller = element.shadowRoot!.querySelector('.scroller');
    for (const part of [0.5, 1, 0]) {
      if (scroller) scroller.scrollTop = scroller.scrollHeight * part;
      await frames(4);
    }
    element.remove();
  });
}
