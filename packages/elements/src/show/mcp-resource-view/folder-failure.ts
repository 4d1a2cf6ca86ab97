import type { McpClient } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { html, type TemplateResult } from 'lit';
import { DISK } from '../../reading/disk.js';
import {
  folderStateInWords,
  folderStateOf,
  McpFolderAllowEvent,
  readFolder,
} from '../../reading/folders.js';

/**
 * The state of the mounted folder of an address that could not be read, with the actions that the user has;
 * `undefined` if the state is not the reason. Rejects if the state cannot be read.
 */
export async function folderFailure(
  view: EventTarget,
  client: McpClient,
  uri: string,
): Promise<TemplateResult | undefined> {
  const { children } = await readFolder(client, DISK);
  const mount = children.find((one) => uri.startsWith(one.uri));
  const state = mount && folderStateOf(mount);
  if (!state) return undefined;
  const allow = (): boolean => view.dispatchEvent(new McpFolderAllowEvent(mount.uri));
  const words = folderStateInWords(state);
  return html`<div class="message" role=${state === 'gone' ? 'alert' : 'status'} part="error">
    ${
      state === 'gone'
        ? words
        : html`${msg('The browser asks again before this page may read the folder.', {
              id: 'mcp.folder.permission',
            })} <button @click=${allow}>${words}</button>`
    }
  </div>`;
}
