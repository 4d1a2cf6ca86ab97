import type { CallToolResult, McpClient } from '@inpage-mcp/client';
import { declares } from '../../reading/declared.js';
import type { FileTarget, FileTargetOptions } from './file-target.js';

/** How long a call may take: the server may ask its own user before it writes. */
const WRITE_TIMEOUT_MS = 600_000;

/** The name of the tool. */
export const SAVE_TOOL = 'save_file';

/** Files over MCP, by the tool `save_file`. They travel as base64 in one message. */
export class ToolFiles implements FileTarget {
  readonly #client: McpClient;

  constructor(client: McpClient) {
    this.#client = client;
  }

  async write(
    path: string,
    content: Blob,
    { expectedRevision, signal, onProgress }: FileTargetOptions,
  ): Promise<void> {
    const base64 = await base64Of(content);
    signal.throwIfAborted();
    const result = await this.#client.callTool(
      SAVE_TOOL,
      {
        path,
        base64,
        ...(content.type && { mediaType: content.type }),
        ...(expectedRevision !== undefined && { expectedRevision }),
      },
      { signal, timeoutMs: WRITE_TIMEOUT_MS },
    );
    if (!result.isError) return onProgress(content.size, content.size);
    // A tool reports every failure in words.
    const isTaken = expectedRevision === 0 && (await this.#exists(path, signal));
    throw Object.assign(new Error(wordsOf(result)), { code: isTaken ? 'conflict' : 'failed' });
  }

  async #exists(path: string, signal: AbortSignal): Promise<boolean> {
    if (!declares(this.#client, 'resources')) return false;
    const uri = `file:///${path.split('/').map(encodeURIComponent).join('/')}`;
    return await this.#client.readResource(uri, { signal }).then(
      () => true,
      () => false,
    );
  }
}

/** By the browser, in pieces off the main thread. */
function base64Of(content: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      const url = reader.result as string;
      // An empty file has a data: URL without a comma in some browsers.
      resolve(content.size === 0 ? '' : url.slice(url.indexOf(',') + 1));
    });
    reader.addEventListener('error', () => reject(reader.error!));
    reader.readAsDataURL(content);
  });
}

function wordsOf({ content }: CallToolResult): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
