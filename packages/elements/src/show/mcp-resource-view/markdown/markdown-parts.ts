import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { until } from 'lit/directives/until.js';
import { truncateText } from '../../../base/text/truncate-text.js';
import { loadPart } from '../../../base/look/load-part.js';
import { adoptStyles } from '../../../base/look/adopt-styles.js';
import type { LocalImage, LocalImages } from './local-images.js';
import { dataAt } from './data-images.js';
import { existingForm } from './name-forms.js';
import type { Parts, Rendered } from './markdown.js';
import type { Showing } from '../content/shown-content.js';

/**
 * The schemes of addresses that could run or contain a document. Neither a link nor an image has one of them.
 */
const REFUSED = ['javascript:', 'vbscript:', 'data:', 'blob:', 'about:', 'filesystem:'];

/** The maximum number of blocks, or parts of long ones, that get colours in a text. */
const MAX_CODE_BLOCKS = 200;

/**
 * The maximum time for which a text waits for the colours of its code before it is shown without them, in
 * milliseconds.
 */
const HIGHLIGHT_MS = 300;

/** The target of a link: on the web, a resource of the server, or a place in the same text. */
type Target = { web: URL } | { uri: string } | { place: string };

/** The parts of Markdown that need more than the text: links, images and code. */
export class MarkdownParts implements Parts {
  static #localImages: typeof LocalImages | undefined;
  readonly #showing: Showing;
  readonly #text: string;
  /** The highlighting of code that is running or complete. */
  readonly #pending: Promise<unknown>[] = [];
  /** The images inside the text, by their addresses. Each is read once, because it may be long. */
  readonly #data = new Map<string, string | undefined>();
  /**
   * The length of the images that code may still show. Each of them is in the text once, but any number of
   * texts may look like its address.
   */
  #codeLeft: number;

  /** @param text The whole text. */
  constructor(showing: Showing, text: string) {
    this.#showing = showing;
    this.#text = text;
    this.#codeLeft = text.length;
  }

  /** Resolves when all code has its colours; soon in any case. */
  async ready(): Promise<void> {
    if (this.#pending.length === 0) return;
    const timeout = new Promise((resolve) => setTimeout(resolve, HIGHLIGHT_MS));
    await Promise.race([Promise.all(this.#pending), timeout]);
  }

  link(href: string, content: Rendered, isWritten: boolean): Rendered {
    const target = targetOf(href, this.#showing.uri);
    if (!target) return content;
    if ('web' in target) return renderWebLink(target.web, content, isWritten);
    const open = (): void =>
      'uri' in target ? void this.#openLink(target.uri) : this.#goTo(target.place);
    const onkey = (event: KeyboardEvent): void => {
      if (event.key === 'Enter') open();
    };
    const title = 'uri' in target ? truncateText(target.uri) : nothing;
    return html`<span
      class="link"
      role="link"
      tabindex="0"
      title=${title}
      @click=${open}
      @keydown=${onkey}
      >${content}</span
    >`;
  }

  image(address: string, alt: string, isInLink: boolean): Rendered {
    const data = this.#dataAt(address);
    const target = data ? { uri: data } : targetOf(address, this.#showing.uri);
    const text = alt || (address.startsWith('data:') ? '…' : truncateText(address));
    if (target && 'web' in target) return isInLink ? text : renderRemoteImage(target.web, alt);
    if (!target || !('uri' in target)) return text;
    const show = (images: typeof LocalImages): unknown => {
      const image = images.of(this.#showing).get(target.uri);
      if (!image) return isInLink || data ? text : this.link(address, text, false);
      if (image.url) return renderLocalImage(image, alt);
      const shown = image.loaded.then(() => (image.url ? renderLocalImage(image, alt) : text));
      return until(shown, renderPending(text));
    };
    if (MarkdownParts.#localImages) return html`${show(MarkdownParts.#localImages)}`;
    return html`${until(
      this.#loadImages().then(show, () => text),
      renderPending(text),
    )}`;
  }

  async #loadImages(): Promise<typeof LocalImages> {
    const loaded = await loadPart(() => import('./local-images.js'));
    MarkdownParts.#localImages = loaded.LocalImages;
    return loaded.LocalImages;
  }

  code(code: string, language: string): Rendered {
    const whole = this.verbatim(code);
    const shown =
      language && this.#pending.length < MAX_CODE_BLOCKS ? this.#highlight(whole, language) : whole;
    return html`<pre tabindex="0"><code>${shown}</code></pre>`;
  }

  /** Code with the original text of its images. */
  verbatim(code: string): string {
    return code.replaceAll(/data:\d+/g, (address) => {
      const data = this.#dataAt(address);
      if (data === undefined || data.length > this.#codeLeft) return address;
      this.#codeLeft -= data.length;
      return data;
    });
  }

  #dataAt(address: string): string | undefined {
    if (!this.#data.has(address)) this.#data.set(address, dataAt(this.#text, address));
    return this.#data.get(address);
  }

  /** Highlights one block after the other, each in a task of its own. */
  #highlight(code: string, language: string): unknown {
    const before = this.#pending.at(-1) ?? Promise.resolve();
    const highlighted = before
      .then(() => new Promise((resolve) => setTimeout(resolve)))
      .then(() => this.#loadHighlight())
      .then(async (highlight) => (await highlight(code, language)) ?? code)
      .catch(() => code);
    this.#pending.push(highlighted);
    return until(highlighted, code);
  }

  async #loadHighlight(): Promise<(code: string, language: string) => Promise<Node | undefined>> {
    const { highlight, tokenStyles } = await loadPart(() => import('../../code/highlight.js'));
    adoptStyles(this.#showing.root, tokenStyles);
    return highlight;
  }

  async #openLink(uri: string): Promise<void> {
    const { client, signal } = this.#showing;
    // Most addresses have only one form, so that nothing has to be awaited.
    const isPlain = /^[\0-\x7F]*$/.test(uri) && !/%[c-f]/i.test(uri);
    if (isPlain || !client) return this.#showing.openLink(uri);
    const existing = await existingForm(client, uri, signal).catch(() => undefined);
    if (existing !== undefined) this.#showing.openLink(existing);
  }

  #goTo(place: string): void {
    const headings = this.#showing.root.querySelectorAll<HTMLElement>(
      '.markdown :is(h1, h2, h3, h4, h5, h6, [data-place])',
    );
    const heading = Array.from(headings).find(
      ({ textContent, dataset }) => (dataset['place'] ?? slugOf(textContent)) === place,
    );
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus();
    heading.scrollIntoView({ block: 'start' });
  }
}

/** The target of an address in a text; `undefined` if the user may not open it. */
function targetOf(href: string, base: string): Target | undefined {
  if (href.startsWith('#')) return { place: decodeURIComponentSafely(href.slice(1)) };
  const isAbsolute = URL.canParse(href);
  if (!URL.canParse(href, base)) return undefined;
  const url = new URL(href, base);
  if (REFUSED.includes(url.protocol)) return undefined;
  const isWeb = isAbsolute && ['http:', 'https:', 'mailto:'].includes(url.protocol);
  return isWeb ? { web: url } : { uri: url.href };
}

/** A link that shows its host, unless its text does. */
function renderWebLink(url: URL, content: Rendered, isWritten: boolean): TemplateResult {
  const host = isWritten || !url.host ? nothing : truncateText(url.host, 60);
  return html`<a
    href=${url.href}
    title=${truncateText(url.href, 500)}
    data-host=${host}
    target="_blank"
    rel="noopener noreferrer"
    >${content}</a
  >`;
}

function renderPending(alt: string): TemplateResult {
  return html`<span class="pending-image">${alt}</span>`;
}

function renderLocalImage({ url }: LocalImage, alt: string): TemplateResult {
  return html`<img src=${url!} alt=${alt} decoding="async" />`;
}

/**
 * Renders a button for an image on the web. Loading the image reveals to its host who reads the text, so only
 * the user may decide that.
 */
function renderRemoteImage(url: URL, alt: string): TemplateResult {
  if (url.protocol === 'mailto:') return html`${alt}`;
  const host = truncateText(url.host, 60);
  const label = msg(str`Load the image from ${host}`, { id: 'mcp.resource-view.remote-image' });
  const load = ({ currentTarget }: Event): void => {
    const image = new Image();
    image.referrerPolicy = 'no-referrer';
    image.alt = alt;
    image.src = url.href;
    const place = (currentTarget as HTMLElement).closest('.remote-image')!;
    image.addEventListener('error', () => place.replaceChildren(couldNotLoad()));
    place.replaceChildren(image);
    image.tabIndex = -1;
    image.focus();
  };
  // With another address, the loaded image does not stay in its place.
  return html`${keyed(
    url.href,
    html`<span class="remote-image">
      ${renderWebLink(url, alt || truncateText(url.href), true)}
      <button @click=${load}>${label}</button>
    </span>`,
  )}`;
}

function couldNotLoad(): string {
  return msg('This image could not be loaded.', { id: 'mcp.resource-view.image-failed' });
}

/** The name of a heading in links, in the form that GitHub makes. */
function slugOf(heading: string): string {
  return heading
    .slice(0, 500)
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
