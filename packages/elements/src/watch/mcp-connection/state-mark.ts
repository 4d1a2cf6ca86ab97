import { svg, html, type TemplateResult } from 'lit';
import type { ConnectionState } from '../../base/element/connection.js';

/** A shape of its own for each state, as colours alone do not distinguish them. */
const SHAPES: { readonly [state in ConnectionState]: TemplateResult } = {
  none: svg`<circle cx="8" cy="8" r="6" fill="none" stroke-dasharray="2.5 2.2" />`,
  open: svg`<circle cx="8" cy="8" r="6" fill="currentColor" /><path d="M5.2 8.2l2 2 3.6-4" fill="none" class="check" />`,
  reconnecting: svg`<path d="M14 8a6 6 0 1 1-3-5.2" fill="none" />`,
  closed: svg`<path d="M2.5 2.5h11v11h-11zM5.5 5.5l5 5M10.5 5.5l-5 5" fill="none" />`,
};

/** The mark of a state; hidden from assistive tools, which read the words. */
export function renderMark(state: ConnectionState): TemplateResult {
  return html`<svg class=${`mark ${state}`} viewBox="0 0 16 16" aria-hidden="true">
    <g stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round">
      ${SHAPES[state]}
    </g>
  </svg>`;
}
