import { html, type TemplateResult } from 'lit';

// The icons that a list of resources needs: a page loads the others (icons.ts) with the parts that
// show them.
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
const fileIcon =
  'M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20 8v12a2 2 0 0 1-2 2zM14 2v5a1 1 0 0 0 1 1h5';
const folderIcon =
  'M20 20a2 2 0 0 0 2-2V8a2 2 0 0 0-2-2h-7.9a2 2 0 0 1-1.69-.9L9.6 3.9A2 2 0 0 0 7.93 3H4a2 2 0 0 0-2 2v13a2 2 0 0 0 2 2Z';

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
