import type { McpClient, ResourceContents } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import type { TemplateResult } from 'lit';
import type { Slices } from '../../../reading/slices.js';
import type { Refusal } from '../../renderers/renderer.js';

/** One of the contents of a resource, in the form in which it is shown. */
export interface ShownContent {
  /** The kind of the content; see `kindOf()`. */
  readonly kind: string;
  /** Whether it is ready to be shown. */
  readonly isReady: boolean;
  /**
   * Accepts contents to show from now on. Returns `false` for contents that need another object.
   *
   * @param remark The reason why they are not shown in their format, or as a whole; may be empty.
   */
  accepts(contents: ResourceContents, remark: string | TemplateResult): boolean;
  /** Prepares the content. Rejects with a `Refusal` if the contents need another kind. */
  prepare(slices: Slices): Promise<void>;
  render(): TemplateResult;
  /** Releases its memory. Must be called when it is no longer shown. */
  dispose?(): void;
  /** Moves the focus to the part that the user has asked for, as soon as it is shown. */
  focusNew?(): void;
}

/** The functions of the view for its contents. */
export interface Showing {
  readonly client: McpClient | undefined;
  readonly uri: string;
  readonly root: ShadowRoot;
  /** Aborted when the view shows another resource, or nothing. */
  readonly signal: AbortSignal;
  /** Whether only the beginning of the resource was read. */
  readonly isPartial: boolean;
  /** Renders again. */
  requestUpdate(): void;
  /** Prepares again, for example when the user wants more of a text. */
  prepare(): void;
  /** Shows contents without their format from now on. */
  refuse(contents: ResourceContents, refusal: Refusal): void;
  /** Follows a link to another resource of the server. */
  openLink(uri: string): void;
}

/** A text in portions, each of them small enough to be parsed and laid out at once. */
export interface Portions {
  /** The length of the text in the portions so far, in UTF-16 code units. */
  readonly position: number;
  /** Shows the next portion in an element, which may still show one of an earlier text. */
  renderNext(portion: HTMLElement): void;
  /** Resolves when the portions so far have their final look; soon in any case. */
  ready?(): Promise<void>;
}

/** Moves the focus to a part that has replaced the button that asked for it. */
export function focusContent(part: HTMLElement): void {
  part.tabIndex = -1;
  part.focus({ preventScroll: true });
}

/** The text that the code for a format could not be loaded. */
export function unloadedInWords(): string {
  return msg('The formatted view could not be loaded.', { id: 'mcp.resource-view.unloaded' });
}
