import { html, type TemplateResult } from 'lit';
import { icon } from './type-icons.js';

// Paths of Lucide 1.62 (ISC licence, lucide.dev), one constant each, so that a bundler drops the
// unused ones. Circles and rectangles are written as paths.
export { icon, iconFor, noteIcon } from './type-icons.js';

export const downloadIcon = 'M12 15V3M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4M7 10l5 5 5-5';
export const uploadIcon = 'M12 3v12M17 8l-5-5-5 5M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4';
export const searchIcon = 'M21 21l-4.34-4.34M19 11a8 8 0 1 1-16 0a8 8 0 0 1 16 0z';
export const closeIcon = 'M18 6L6 18M6 6l12 12';
export const checkIcon = 'M20 6L9 17l-5-5';
export const copyIcon =
  'M10 8h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H10a2 2 0 0 1-2-2V10a2 2 0 0 1 2-2zM4 16c-1.1 0-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2';
/**
 * A chevron that points to the end of the line. The style sheet turns it for an open part, and for text from
 * right to left.
 */
export const chevronIcon = 'M9 18l6-6-6-6';
export const plusIcon = 'M5 12h14M12 5v14';
export const warningIcon =
  'M21.73 18l-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3M12 9v4M12 17h.01';
export const infoIcon = 'M12 16v-4M12 8h.01M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0z';
export const refreshIcon =
  'M3 12a9 9 0 0 1 9-9 9.75 9.75 0 0 1 6.74 2.74L21 8M21 3v5h-5M21 12a9 9 0 0 1-9 9 9.75 9.75 0 0 1-6.74-2.74L3 16M8 16H3v5';
export const pauseIcon = 'M14 4h4v16h-4zM6 4h4v16H6z';
export const lockIcon =
  'M5 11h14a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2zM7 11V7a5 5 0 0 1 10 0v4';
export const playIcon = 'M6 4l14 8-14 8z';

/** A button that shows only an icon, with its name for assistive tools. */
export function iconButton(name: string, path: string, onclick: () => void): TemplateResult {
  return html`<button
    type="button"
    class="quiet"
    aria-label=${name}
    title=${name}
    @click=${onclick}
  >
    ${icon(path)}
  </button>`;
}
