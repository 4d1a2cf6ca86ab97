import type { Implementation, Params, Result, ToolAnnotations } from '@inpage-mcp/protocol/types';
import { ClientError, McpError } from './api/client-error.js';
import type { CallToolResult, Tool } from './api/tool-types.js';
import { APPS_REVISION } from './apps/app-metadata.js';
import { object } from './results/checks.js';
import { followHostStyle } from './app/host-style.js';
import { Host } from './host.js';
import { HostConnection } from './app/host-connection.js';
import type { DisplayMode } from './app/host-context.js';
import { messageOf, type RequestHandler } from './app/host-transport.js';
import { reportSize } from './app/size-reports.js';

/** A tool of the app itself, which the model of the host may call while the app is shown. */
export interface AppTool {
  /** The name of the tool, unique among the tools of the app. */
  name: string;
  /** The name of the tool for people. */
  title?: string | undefined;
  /** The description for the model: what the tool does. */
  description?: string | undefined;
  /**
   * JSON Schema of the arguments, an object. Neither the host nor this package checks them. Default: any
   * object.
   */
  inputSchema?: Tool['inputSchema'] | undefined;
  /** Hints, such as `readOnlyHint`: many hosts ask the user before they call a tool without it. */
  annotations?: ToolAnnotations | undefined;
  /** Runs the tool. If it throws, the result has `isError` and the error's message. */
  run(args: { [name: string]: unknown }): CallToolResult | Promise<CallToolResult>;
}

/** Options of {@link connectToHost}. */
export interface ConnectToHostOptions {
  /** The name and version of the app. Default: the title of the document, and `0.0.0`. */
  appInfo?: Implementation | undefined;
  /** The ways in which the app can be shown. Default: `['inline']`. */
  displayModes?: DisplayMode[] | undefined;
  /** The tools of the app itself. Default: none. */
  tools?: AppTool[] | undefined;
  /**
   * The tools of the server, for hosts that do not list them. Default: the JSON array in
   * `<script type="application/json" id="inpage-mcp-tools">`, which the server of this project writes into
   * its apps; else the tool whose call shows the app.
   */
  serverTools?: Tool[] | undefined;
  /** Saves unsaved changes before the app ends. The host waits for it, some seconds at most. */
  onteardown?: (() => void | Promise<void>) | undefined;
  /**
   * Whether the app reports the height of its content to the host, so that the frame can have it. Default:
   * true.
   */
  autoResize?: boolean | undefined;
  /**
   * Whether the document follows the host: `color-scheme` and `data-theme`, the variables and fonts of its
   * CSS, `lang`, and `--safe-area-top` (`-right`, `-bottom`, `-left`). Default: true.
   */
  autoStyle?: boolean | undefined;
  /** Milliseconds until the host must have answered; `Infinity` for none. Default: 10,000. */
  timeoutMs?: number | undefined;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const INVALID_PARAMS = -32602;
const TOOLS_ID = 'inpage-mcp-tools';

/**
 * Connects this document, once, to the host that shows it as an MCP App
 * ([`io.modelcontextprotocol/ui`](https://github.com/modelcontextprotocol/ext-apps), 2026-01-26).
 *
 * @throws {ClientError} `unsupported` if the document is not in a frame; `timeout` if the window above does
 *   not answer as a host.
 * @throws {McpError} if the host rejects the app.
 */
export async function connectToHost({
  appInfo = { name: document.title || 'app', version: '0.0.0' },
  displayModes = ['inline'],
  tools = [],
  serverTools,
  onteardown,
  autoResize = true,
  autoStyle = true,
  timeoutMs = DEFAULT_TIMEOUT_MS,
}: ConnectToHostOptions = {}): Promise<Host> {
  if (parent === self)
    throw new ClientError('unsupported', 'This app is not in a frame of a host.');
  const handlers = new Map<string, RequestHandler>([['ping', () => ({})]]);
  if (tools.length > 0) addToolHandlers(handlers, tools);
  const connection = new HostConnection(parent, handlers);
  handlers.set('ui/resource-teardown', async () => {
    try {
      await onteardown?.();
    } catch (error) {
      reportError(error);
    }
    // The connection closes after the answer was sent.
    setTimeout(() => void connection.close());
    return {};
  });
  const appCapabilities = {
    availableDisplayModes: displayModes,
    ...(tools.length > 0 && { tools: {} }),
  };
  const params = { appInfo, appCapabilities, protocolVersion: APPS_REVISION };
  const answer = await initialize(connection, params, timeoutMs);
  const host = new Host(connection, answer);
  connection.knownTools = serverTools ?? toolsInDocument() ?? toolOf(host);
  if (autoStyle) followHostStyle(host);
  connection.transport.notify('ui/notifications/initialized', {});
  if (autoResize)
    reportSize(host, connection.closed, (size) =>
      connection.transport.notify('ui/notifications/size-changed', { ...size }),
    );
  return host;
}

async function initialize(
  connection: HostConnection,
  params: Params,
  timeoutMs: number,
): Promise<Result> {
  try {
    return await connection.request('ui/initialize', params, { timeoutMs });
  } catch (error) {
    await connection.close();
    if (error instanceof ClientError && error.code === 'timeout') {
      const message = `The window above did not answer as a host of MCP Apps within ${timeoutMs} ms.`;
      throw new ClientError('timeout', message, { cause: error });
    }
    throw error;
  }
}

function addToolHandlers(handlers: Map<string, RequestHandler>, tools: AppTool[]): void {
  const listed = tools.map((tool) => {
    const copy: Partial<AppTool> = { inputSchema: { type: 'object' }, ...tool };
    // A message cannot have functions.
    delete copy.run;
    return copy;
  });
  handlers.set('tools/list', () => ({ tools: listed }));
  handlers.set('tools/call', async ({ name, arguments: args }) => {
    const tool = tools.find((one) => one.name === name);
    if (!tool) throw new McpError(INVALID_PARAMS, `The app has no tool ${String(name)}.`);
    try {
      return { ...(await tool.run((object(args) ?? {}) as Params)) };
    } catch (error) {
      return { content: [{ type: 'text', text: messageOf(error) }], isError: true };
    }
  });
}

function toolsInDocument(): unknown[] | undefined {
  try {
    const tools: unknown = JSON.parse(document.getElementById(TOOLS_ID)?.textContent ?? '');
    return Array.isArray(tools) ? tools : undefined;
  } catch {
    return undefined;
  }
}

function toolOf({ context }: Host): Tool[] {
  return context.toolInfo ? [context.toolInfo.tool] : [];
}
