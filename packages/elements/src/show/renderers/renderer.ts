import type { ResourceContents } from '@inpage-mcp/client';
import type { LitElement } from 'lit';

/** Lines of the text of contents that an update has changed, in UTF-16 code units. */
export interface ChangedPlace {
  start: number;
  end: number;
  /** Whether lines were only removed before this one, which itself is as it was. */
  isRemoval: boolean;
}

/** What an update has changed in the text of some contents. */
export interface ContentChanges {
  /** The contents after the update. Of others, nothing is marked. */
  contents: ResourceContents;
  /** In the order of the text; none overlaps another. */
  places: readonly ChangedPlace[];
}

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
  /** What to mark as changed, where the element shows texts. Default: nothing. */
  changes: ContentChanges | undefined;
}
