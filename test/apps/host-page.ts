// A page that is an official host: it shows the app with the notes of its own runtime.
import { startRuntime } from '@inpage-mcp/runtime';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { Client } from '@modelcontextprotocol/client';
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';

/** What a test wants to see. */
interface Wish {
  /** The name of the tool that was called, and its arguments; `$first` stands for the id of the first note. */
  tool: string;
  args?: object;
  /** Titles. */
  notes: string[];
  capabilities?: object;
  /** More of what the host says of itself. */
  context?: object;
}

const INFO = { name: 'host', version: '1' };
const OFFERED = { serverTools: {}, serverResources: {}, updateModelContext: { resourceLink: {} } };

async function showApp({
  tool,
  args = {},
  notes,
  capabilities = OFFERED,
  context,
}: Wish): Promise<void> {
  const runtime = await startRuntime({ databaseName: crypto.randomUUID() });
  const ids: string[] = [];
  for (const title of notes) ids.push((await runtime.notes.create({ title, text: title })).id);
  const client = new Client(INFO, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new MessagePortTransport(await runtime.openPort()));
  const toolInfo = { tool: { name: tool, inputSchema: { type: 'object' } } };
  const hostContext = { toolInfo, ...context };
  const bridge = new AppBridge(client, INFO, capabilities, { hostContext: hostContext as never });
  const taken: unknown[] = [];
  bridge.onupdatemodelcontext = async (params) => {
    taken.push(params);
    return {};
  };
  bridge.addEventListener('initialized', () => {
    const given = JSON.stringify(args).replace('$first', ids[0] ?? '');
    void bridge.sendToolInput({ arguments: JSON.parse(given) as { [name: string]: unknown } });
  });
  const frame = document.createElement('iframe');
  frame.sandbox.add('allow-scripts');
  frame.style.cssText = 'width: 760px; height: 460px';
  document.body.append(frame);
  const view = frame.contentWindow!;
  await bridge.connect(new PostMessageTransport(view, view));
  const { tools } = await client.listTools();
  const list = JSON.stringify(tools).replaceAll('<', '\\u003c');
  const html = await (await fetch('notes.html')).text();
  const script = `<script type="application/json" id="inpage-mcp-tools">${list}</script>`;
  frame.srcdoc = html.replace('<body>', () => `<body>${script}`);
  Object.assign(window, { runtime, taken });
}

Object.assign(window, { showApp });
