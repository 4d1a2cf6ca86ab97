import { connectClient, type McpClient } from '@inpage-mcp/client';
import {
  defineTool,
  McpServer,
  ResourceNotFoundError,
  type ResourceChangeListener,
  type Tool,
} from '@inpage-mcp/protocol';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { eventually } from './elements.js';

/** What an app has reported by the tool `report`. */
export interface Report {
  event?: string;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  code?: number;
  message?: string;
  context?: Record<string, unknown>;
  capabilities?: Record<string, unknown>;
  [name: string]: unknown;
}

const ui = (value: object) => ({ _meta: { ui: value } });
const READS = { annotations: { readOnlyHint: true } };
export const APP_URI = 'ui://test/app';

/** A server with an app, in this page, over a real port. */
export interface AppServer {
  client: McpClient;
  /** What the app has reported so far. */
  reports: Report[];
  /** The calls of the tool that writes. */
  writes: object[];
  /** Resolves with the first report that has these members. */
  reported(wanted: Partial<Report>): Promise<Report>;
  /** Changes the resource `a:note`. */
  change(text: string): void;
  addTool(tool: Tool): void;
  /** The streams of changes that the client has open, by the ids of their requests. */
  readonly streams: ReadonlySet<unknown>;
}

/** The document of an app of test/apps. */
export const appDocument = async (name: string): Promise<string> =>
  await (await fetch(`/__app/${name}`)).text();

/** Serves the document as the app of the tool `show`. */
export async function openAppServer(html: string, declared: object = {}): Promise<AppServer> {
  const reports: Report[] = [];
  const writes: object[] = [];
  let note = 'one';
  let emit: ResourceChangeListener = () => undefined;
  const texts: Record<string, () => object> = {
    [APP_URI]: () => ({ mimeType: 'text/html;profile=mcp-app', text: html, ...ui(declared) }),
    'ui://test/page': () => ({ mimeType: 'text/html', text: html }),
    'a:note': () => ({ mimeType: 'text/plain', text: note }),
  };
  const server = new McpServer(
    { name: 'app-server', version: '1.0.0', title: 'Server of apps' },
    {
      resources: {
        list: () => ({ resources: [{ uri: 'a:note', name: 'note' }] }),
        read(uri) {
          const content = texts[uri]?.();
          if (!content) throw new ResourceNotFoundError(uri);
          return [{ uri, text: '', ...content }];
        },
        listen(listener) {
          emit = listener;
          return () => undefined;
        },
      },
      tools: [
        defineTool({
          name: 'show',
          title: 'Show it',
          ...READS,
          ...ui({ resourceUri: APP_URI }),
          run: (args) => ({
            structuredContent: { given: args },
            content: [{ type: 'text', text: 'Shown as text.' }],
          }),
        }),
        defineTool({ name: 'plain', ...READS, run: () => 'Plain.' }),
        defineTool({
          name: 'report',
          ...READS,
          ...ui({ visibility: ['app'] }),
          run: (args) => {
            reports.push(args as Report);
            return 'Thanks.';
          },
        }),
        defineTool({
          name: 'secret',
          ...READS,
          ...ui({ visibility: ['model'] }),
          run: () => 'Not for apps.',
        }),
        defineTool({
          name: 'write',
          title: 'Write it',
          run: (args) => {
            writes.push(args);
            return 'Written.';
          },
        }),
      ],
    },
  );
  const { port1, port2 } = new MessageChannel();
  server.serve(port2);
  const streams = new Set<unknown>();
  port2.addEventListener('message', ({ data }: MessageEvent) => {
    const { id, method, params } = Object(data) as Report;
    if (method === 'subscriptions/listen') streams.add(id);
    if (method === 'notifications/cancelled') streams.delete(params!['requestId']);
  });
  const client = await connectClient(new MessagePortTransport(port1), { apps: true });
  return {
    client,
    reports,
    writes,
    reported: (wanted) =>
      eventually(() =>
        reports.find((report) =>
          Object.entries(wanted).every(([name, value]) => report[name] === value),
        ),
      ),
    change(text) {
      note = text;
      emit([{ uri: 'a:note', listChanged: false }]);
    },
    addTool: (tool) => void server.addTool(tool),
    streams,
  };
}
