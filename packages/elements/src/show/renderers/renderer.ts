import type { ResourceContents } from '@inpage-mcp/client';
import type { LitElement } from 'lit';
import type { Slices } from '../../reading/slices.js';

/** Lines in a row that have changed. Where `isRemoval`, the line itself has not: others were before it. */
export interface ChangedLines {
  first: number;
  end: number;
  isRemoval: boolean;
}

/** Finds what has changed from some lines to others. */
export type FindChanges = (before: readonly string[], after: readonly string[]) => ChangedLines[];

/** The reason why an element does not show contents in their format, for the user. */
export class Refusal extends Error {
  /** Whether a text can be shown in its place; else there is a download. */
  readonly isText: boolean;

  constructor(reason: string, isText: boolean, cause?: unknown) {
    super(reason, { cause });
    this.isText = isText;
  }
}

/**
 * An element that shows the contents of some media types. `<mcp-resource-view>` loads its module when
 * it is first needed, and creates it; after an update of the resource it has the same element show other
 * contents, in which the user keeps the place.
 *
 * The contents are hostile: the element runs nothing of them, loads nothing from elsewhere, and never
 * keeps the main thread busy for more than 100 ms.
 */
export interface RendererElement extends LitElement {
  /**
   * Shows contents: text, base64, or a `Blob` handle (see reading/content-bytes.ts). What was shown before
   * stays until they are ready. Rejects with a {@link Refusal} where they are not of the format, and with
   * other errors where they cannot be read.
   */
  show(contents: ResourceContents, slices: Slices): Promise<void>;
  /** Whether the contents are only the first part of the resource. Default: false. */
  partial: boolean;
  /** Takes what is shown now for that with which later contents are compared. */
  setBaseline(): void;
  /** The function that finds the changes since the baseline, to mark them. Default: nothing is marked. */
  changes: FindChanges | undefined;
  /** Called when the user wants to see more of the contents, which are to be shown again. */
  onmore: () => void;
  /** Called when the browser fails to show what it was given. */
  onrefuse: (refusal: Refusal) => void;
  /** Lets go of what is shown. */
  release(): void;
}
