import { html, type TemplateResult } from 'lit';

// The icons that a list of resources needs. A page loads the others (icons.ts) with the parts that show them.
export const noteIcon =
  'M16 3H5a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h14a2 2 0 0 0 2-2V8zM15 3v4a2 2 0 0 0 2 2h4';
const fileIcon =
  'M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20 8v12a2 2 0 0 1-2 2zM14 2v5a1 1 0 0 0 1 1h5';
const textIcon = `${fileIcon}M10 9H8M16 13H8M16 17H8`;
const imageIcon =
  'M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM11 9a2 2 0 1 1-4 0a2 2 0 0 1 4 0zM21 15l-3.086-3.086a2 2 0 0 0-2.828 0L6 21';
const audioIcon =
  'M9 18V5l12-2v13M9 18a3 3 0 1 1-6 0a3 3 0 0 1 6 0zM21 16a3 3 0 1 1-6 0a3 3 0 0 1 6 0z';
const videoIcon =
  'M16 10.5L22 7v10l-6-3.5M4 6h10a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2z';
const folderIcon =
  'M4 20h16a2 2 0 0 0 2-2V8a2 2 0 0 0-2-2h-8L9.5 3H4a2 2 0 0 0-2 2v13a2 2 0 0 0 2 2z';

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
