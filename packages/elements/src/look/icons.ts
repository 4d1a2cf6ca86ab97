import { html, type TemplateResult } from 'lit';

// Paths of Lucide 1.62 (ISC licence, lucide.dev), one constant each, so that a bundler drops the
// unused ones. Circles and rectangles are written as paths.
export const noteIcon =
  'M13.4 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-7.4M2 6h4M2 10h4M2 14h4M2 18h4M21.378 5.626a1 1 0 1 0-3.004-3.004l-5.01 5.012a2 2 0 0 0-.506.854l-.837 2.87a.5.5 0 0 0 .62.62l2.87-.837a2 2 0 0 0 .854-.506z';
const textIcon =
  'M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20 8v12a2 2 0 0 1-2 2zM14 2v5a1 1 0 0 0 1 1h5M10 9H8M16 13H8M16 17H8';
const imageIcon =
  'M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM11 9a2 2 0 1 1-4 0a2 2 0 0 1 4 0zM21 15l-3.086-3.086a2 2 0 0 0-2.828 0L6 21';
const audioIcon =
  'M21 16V3a1 1 0 0 0-1.28-.96l-10 2.917a1 1 0 0 0-.72.96V19M21 16a3 3 0 1 1-6 0a3 3 0 0 1 6 0zM9 19a3 3 0 1 1-6 0a3 3 0 0 1 6 0z';
const videoIcon =
  'M16 13l5.223 3.482a.5.5 0 0 0 .777-.416V7.87a.5.5 0 0 0-.752-.432L16 10.5M4 6h10a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2z';
export const fileIcon =
  'M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20 8v12a2 2 0 0 1-2 2zM14 2v5a1 1 0 0 0 1 1h5';
const folderIcon =
  'M20 20a2 2 0 0 0 2-2V8a2 2 0 0 0-2-2h-7.9a2 2 0 0 1-1.69-.9L9.6 3.9A2 2 0 0 0 7.93 3H4a2 2 0 0 0-2 2v13a2 2 0 0 0 2 2Z';
export const downloadIcon = 'M12 15V3M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4M7 10l5 5 5-5';
export const uploadIcon = 'M12 3v12M17 8l-5-5-5 5M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4';
export const searchIcon = 'M21 21l-4.34-4.34M19 11a8 8 0 1 1-16 0a8 8 0 0 1 16 0z';
export const closeIcon = 'M18 6L6 18M6 6l12 12';
export const checkIcon = 'M20 6L9 17l-5-5';
export const copyIcon =
  'M10 8h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H10a2 2 0 0 1-2-2V10a2 2 0 0 1 2-2zM4 16c-1.1 0-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2';
/** Points to the end of the line: the style sheet turns it where a part is open, or the text runs left. */
export const chevronIcon = 'M9 18l6-6-6-6';
export const plusIcon = 'M5 12h14M12 5v14';
export const warningIcon =
  'M21.73 18l-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3M12 9v4M12 17h.01';
export const refreshIcon =
  'M3 12a9 9 0 0 1 9-9 9.75 9.75 0 0 1 6.74 2.74L21 8M21 3v5h-5M21 12a9 9 0 0 1-9 9 9.75 9.75 0 0 1-6.74-2.74L3 16M8 16H3v5';
export const pauseIcon = 'M14 4h4v16h-4zM6 4h4v16H6z';
export const playIcon = 'M6 4l14 8-14 8z';

/**
 * A shape in the colour of the text, one and a quarter times its size; hidden from assistive tools.
 *
 * @param path One of the paths above, or any other for a box of 24 × 24 units.
 */
export function icon(path: string): TemplateResult {
  return html`<svg
    class="icon"
    part="icon"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="1.75"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d=${path}></path>
  </svg>`;
}

const ICONS_OF_TYPES: { readonly [type: string]: string | undefined } = {
  'text/markdown': noteIcon,
  'inode/directory': folderIcon,
  text: textIcon,
  image: imageIcon,
  audio: audioIcon,
  video: videoIcon,
};

/** The icon for a media type. */
export function iconFor(mimeType = ''): string {
  const type = Object.hasOwn(ICONS_OF_TYPES, mimeType) ? mimeType : mimeType.split('/', 1)[0]!;
  return (Object.hasOwn(ICONS_OF_TYPES, type) && ICONS_OF_TYPES[type]) || fileIcon;
}
