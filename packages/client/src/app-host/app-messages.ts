import type { ContentBlock } from '@inpage-mcp/protocol/types';
import { McpError } from '../api/client-error.js';
import type { PageOptions } from '../api/request-options.js';
import type { CallToolResult } from '../api/tool-types.js';
import { checkResult } from '../results/check-result.js';
import { object } from '../results/checks.js';
import type { AppSessionOptions, Json } from './host-types.js';

/** The codes of the errors that an app gets from its host. */
export const ERROR = {
  refused: -32000,
  invalid: -32600,
  noMethod: -32601,
  params: -32602,
  internal: -32603,
};

/** The maximum size that an app may request, in CSS pixels. */
const MAX_SIZE = 20_000;

/** The key under which apps of this project find the capabilities of the server behind the host. */
const OWN_SERVER = 'io.github.inpage-mcp/server';

export const isRecord = (value: unknown): value is Json => object(value) !== undefined;

/**
 * Whether two values are the same in JSON. A server in this browser may send values that JSON does not have.
 */
export function isSame(one: unknown, other: unknown): boolean {
  try {
    return one === other || JSON.stringify(one) === JSON.stringify(other);
  } catch {
    return false;
  }
}

/** The valid blocks. In the text of the specification, this is one block; in its types, an array. */
export function blocksOf(value: unknown): ContentBlock[] {
  const content = Array.isArray(value) ? value : [value];
  return (checkResult('tools/call', { content }) as CallToolResult).content;
}

export function pageOf({ cursor }: Json, { signal }: { signal: AbortSignal }): PageOptions {
  return { signal, ...(typeof cursor === 'string' && { cursor }) };
}

/**
 * Checks the address that an app wants to open.
 *
 * @throws {McpError} for anything but an address of the web or of an e-mail.
 */
export function webAddress(url: unknown): URL {
  const address = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined;
  if (!address || !['https:', 'http:', 'mailto:'].includes(address.protocol))
    throw new McpError(ERROR.params, 'Only addresses of the web can be opened.');
  return address;
}

export function sizeOf({ width, height }: Json): { width?: number; height?: number } {
  const [w, h] = [pixelsOf(width), pixelsOf(height)];
  return { ...(w !== undefined && { width: w }), ...(h !== undefined && { height: h }) };
}

function pixelsOf(value: unknown): number | undefined {
  const isSize = typeof value === 'number' && value >= 0;
  return isSize ? Math.min(Math.ceil(value), MAX_SIZE) : undefined;
}

/**
 * The error of an app's answer. It is not created by `String()`, because an object whose `toString` is not a
 * function cannot become a text.
 */
export function errorOfApp({ code, message }: Json): McpError {
  return new McpError(
    typeof code === 'number' ? code : ERROR.internal,
    typeof message === 'string' ? message : 'The app has rejected the request.',
  );
}

/**
 * An error as an app gets it: the text of an error of the server or of this session, but no details of other
 * errors.
 */
export function errorOf(error: unknown): object {
  if (error instanceof McpError) {
    const { code, message, data } = error;
    return { code, message, ...(data !== undefined && { data }) };
  }
  const isOfClient = error instanceof Error && error.name === 'ClientError';
  return { code: ERROR.internal, message: isOfClient ? error.message : 'Internal error' };
}

/** The capabilities of the page's hooks and of the server, as the answer to `ui/initialize` declares them. */
export function hostCapabilities({ hooks = {}, sandbox, client }: AppSessionOptions): Json {
  const { tools, resources } = client?.serverCapabilities ?? {};
  const blocks = { text: {}, image: {}, audio: {}, resource: {}, resourceLink: {} };
  return {
    logging: {},
    ...(tools && { serverTools: { listChanged: true } }),
    ...(resources && { serverResources: { listChanged: true } }),
    ...(hooks.openLink && { openLinks: {} }),
    ...(hooks.downloadFile && { downloadFile: {} }),
    ...(hooks.sendMessage && { message: blocks }),
    ...(hooks.updateContext && { updateModelContext: { ...blocks, structuredContent: {} } }),
    ...(hooks.createMessage && { sampling: {} }),
    ...(sandbox && { sandbox }),
    experimental: {
      [OWN_SERVER]: { ...client?.serverCapabilities, serverInfo: client?.serverInfo },
    },
  };
}
