import type { Resource } from '@inpage-mcp/client';
import type { LitElement } from 'lit';
import type { ViewMode } from './kinds.js';

/** The view, as its parts use it. */
export interface View extends LitElement {
  uri: string | undefined;
  mode: ViewMode;
  paused: boolean;
  readonly header: boolean;
  readonly followLinks: boolean;
  readonly resource: Resource | undefined;
  reload(): void;
}
