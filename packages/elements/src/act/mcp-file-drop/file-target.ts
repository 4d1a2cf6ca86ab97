import type { CallToolResult, McpClient } from '@inpage-mcp/client';
import { declares } from '../../reading/declared.js';

/** The options of a write. */
export interface FileTargetOptions {
  /** The expected revision. With 0, the file is written only if no file exists at the path. */
  expectedRevision?: number;
  /** A signal whose abort cancels the write. */
  signal: AbortSignal;
  /** Called with the number of bytes that are written. */
  onProgress: (done: number, total: number) => void;
}

/**
 * The place of files. `runtime.files` of `@inpage-mcp/runtime` is one. A call rejects with an
 * error whose `code` is `conflict` if a file exists at the path although none was expected, and with
 * the reason of its signal.
 */
export interface FileTarget {
  /** Writes a file; resolves when it is stored. */
  write(path: string, content: Blob, options: FileTargetOptions): Promise<unknown>;
}

/** A file, and the path at which it is to be written. */
export interface FileToSave {
  /** The path, with the folders that were dropped: `photos/cat.png`. */
  path: string;
  /** The file, as the browser provides it. */
  file: File;
}

/** The way to treat a file whose path is taken. */
export type ConflictChoice = 'keep-both' | 'replace' | 'skip';

/** The name of the tool that saves files over MCP. */
export const SAVE_TOOL = 'save_file';

/**
 * The timeout of a call in milliseconds. It is long, because the server may ask its own user before it
 * writes.
 */
const WRITE_TIMEOUT_MS = 600_000;

/** Writes files over MCP, by the tool `save_file`. They travel as base64 in one message. */
export function toolTarget(client: McpClient): FileTarget {
  return {
    async write(path, content, { expectedRevision, signal, onProgress }) {
      const base64 = await base64Of(content);
      signal.throwIfAborted();
      const { type } = content;
      const result = await client.callTool(
        SAVE_TOOL,
        {
          path,
          base64,
          ...(type && { mediaType: type }),
          ...(expectedRevision !== undefined && { expectedRevision }),
        },
        { signal, timeoutMs: WRITE_TIMEOUT_MS },
      );
      if (!result.isError) return onProgress(content.size, content.size);
      // A tool reports every failure as a text.
      const isTaken = expectedRevision === 0 && (await exists(client, path, signal));
      throw Object.assign(new Error(wordsOf(result)), { code: isTaken ? 'conflict' : 'failed' });
    },
  };
}

async function exists(client: McpClient, path: string, signal: AbortSignal): Promise<boolean> {
  if (!declares(client, 'resources')) return false;
  const uri = `file:///${path.split('/').map(encodeURIComponent).join('/')}`;
  return await client.readResource(uri, { signal }).then(
    () => true,
    () => false,
  );
}

/** The bytes in base64. The browser converts them, in pieces off the main thread. */
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
