import type { ResourceContents } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { html, type TemplateResult } from 'lit';
import { downloadIcon, icon, iconFor } from '../../base/look/icons.js';
import { formatSize } from '../../base/text/format.js';
import { nameOf } from '../../base/text/name-of.js';

/**
 * An object URL that can be nothing but saved: the browser would run a document behind a `blob:`
 * address in the origin of the page.
 */
export function downloadUrl(blob: Blob): string {
  return URL.createObjectURL(blob.slice(0, blob.size, 'application/octet-stream'));
}

/** What the browser cannot show, as a download, with the reason. */
export function renderDownload(
  contents: ResourceContents,
  { size }: Blob,
  url: string,
  reason: string,
): TemplateResult {
  const name = nameOf(contents.uri);
  return html`<div class="message" part="download">
    ${icon(iconFor(contents.mimeType))}
    <strong>${name}</strong>
    <span role="status">${reason}</span>
    <a class="button" download=${name} href=${url}>
      ${icon(downloadIcon)} ${msg('Download', { id: 'mcp.renderers.download' })}
      (${formatSize(size)})
    </a>
  </div>`;
}
