import type { ResourceContents } from '@inpage-mcp/client';
import { blobOf, decodeBase64 } from '../../../reading/content-bytes.js';
import { Slices } from '../../../reading/slices.js';
import { usableReading } from '../../../reading/gate.js';
import { imageTypeOf, kindOf } from '../content/kinds.js';
import { isSmallDrawing } from '../content/drawing-budget.js';
import { imageAddress, svgAddress, SVG_TYPE } from '../content/image-address.js';
import { existingForm } from './name-forms.js';
import type { Showing } from '../content/shown-content.js';

/** The maximum number of images that a text loads without asking. */
const MAX_IMAGES = 50;

/** An image that is, or will be, read from the server. */
export interface LocalImage {
  /** The address in this page, once the image is loaded. */
  url?: string;
  /** Resolves when the image is loaded, or is known not to exist. */
  loaded: Promise<void>;
}

/** The images of the server in a text. They are read one after the other, and kept for its next version. */
export class LocalImages {
  static readonly #ofViews = new WeakMap<AbortSignal, LocalImages>();

  /** The images of a view, as long as it shows the resource. */
  static of(showing: Showing): LocalImages {
    const { signal } = showing;
    const images = this.#ofViews.get(signal) ?? new LocalImages(showing, signal);
    this.#ofViews.set(signal, images);
    return images;
  }

  readonly #showing: Showing;
  readonly #signal: AbortSignal;
  readonly #images = new Map<string, LocalImage>();
  #reading = Promise.resolve();

  private constructor(showing: Showing, signal: AbortSignal) {
    this.#showing = showing;
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#revoke());
  }

  /** The image at an address of the server; `undefined` if there are too many. */
  get(uri: string): LocalImage | undefined {
    const known = this.#images.get(uri);
    if (known || this.#images.size >= MAX_IMAGES) return known;
    const image: LocalImage = { loaded: this.#reading };
    image.loaded = this.#reading = this.#reading.then(() => this.#load(uri, image));
    this.#images.set(uri, image);
    return image;
  }

  async #load(uri: string, image: LocalImage): Promise<void> {
    try {
      const blob = await this.#read(uri);
      if (!blob) return;
      const address = blob.type === SVG_TYPE ? await svgAddress(blob) : undefined;
      if (!this.#signal.aborted) image.url = address ?? imageAddress(blob, blob.type);
    } catch {
      // The text has a description of the missing image.
    }
  }

  async #read(uri: string): Promise<Blob | undefined> {
    const signal = this.#signal;
    signal.throwIfAborted();
    if (uri.startsWith('data:')) return await imageOf(uri, signal);
    const [content] = await this.#contents(uri);
    if (!content || kindOf(content) !== 'image') return undefined;
    const blob = await blobOf(content, new Slices(signal, () => undefined));
    const type = imageTypeOf(content);
    if (type === SVG_TYPE && !(await isSmallDrawing(blob))) return undefined;
    return blob.slice(0, blob.size, type);
  }

  /** Reads an image, in the Unicode form of its name that the server has. */
  async #contents(uri: string): Promise<readonly ResourceContents[]> {
    const { client } = this.#showing;
    if (!client) return [];
    const existing = await existingForm(client, uri, this.#signal);
    return usableReading(await client.readResource(existing, { signal: this.#signal })).contents;
  }

  #revoke(): void {
    for (const { url } of this.#images.values()) if (url) URL.revokeObjectURL(url);
    this.#images.clear();
  }
}

/** The image of a `data:` address, if the browser can show it. */
async function imageOf(address: string, signal: AbortSignal): Promise<Blob | undefined> {
  const [, type = '', base64 = ''] = /^data:([^;]*);base64,(.*)$/.exec(address) ?? [];
  const bytes = await decodeBase64(decodeURIComponent(base64), new Slices(signal, () => undefined));
  const blob = new Blob(bytes, { type });
  const isShown = blob.type === SVG_TYPE ? await isSmallDrawing(blob) : await isImage(blob);
  return isShown ? blob : undefined;
}

async function isImage(blob: Blob): Promise<boolean> {
  return await createImageBitmap(blob).then(
    (bitmap) => (bitmap.close(), true),
    () => false,
  );
}
