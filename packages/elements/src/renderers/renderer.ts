import type { ResourceContents } from '@inpage-mcp/client';
import type { LitElement } from 'lit';

/**
 * An element that shows the contents of some media types. `<mcp-resource-view>` loads its module when
 * it is first needed, creates it, and sets `contents`; after an update of the resource it sets other
 * contents on the same element, which keeps its place.
 *
 * The contents are hostile: the element runs nothing of them, loads nothing from elsewhere, and never
 * keeps the main thread busy for more than 100 ms.
 */
export interface RendererElement extends LitElement {
  /** What to show: text, base64, or a `Blob` handle (see reading/content-bytes.ts). */
  contents: ResourceContents | undefined;
  /** Whether the contents are only the first part of the resource. Default: false. */
  partial: boolean;
}
