// The page of an app that is checked as strictly as TypeScript can: what it passes on may be `undefined`.
import '@inpage-mcp/elements';
import {
  connectClient,
  type CallOptions,
  type ConnectOptions,
  type McpClient,
  type ReadOptions,
} from '@inpage-mcp/client';
import { addLanguage } from '@inpage-mcp/elements/localize';
import { templates } from '@inpage-mcp/elements/locales/ja';
import {
  startRuntime,
  type FileWriteOptions,
  type NewNote,
  type NoteUpdate,
  type Runtime,
  type RuntimeOptions,
  type UpdateOptions,
} from '@inpage-mcp/runtime';
import { MessagePortTransport } from '@inpage-mcp/transport';

/** What a user may have filled in. */
interface Form {
  title: string;
  text: string;
  tags?: string[] | undefined;
  priority?: number | undefined;
  signal?: AbortSignal | undefined;
}

export const start = (confirm?: RuntimeOptions['confirm'], signal?: AbortSignal) =>
  startRuntime({
    databaseName: undefined,
    onProgress: undefined,
    limits: undefined,
    confirm,
    signal,
  });

export async function save(runtime: Runtime, { title, text, tags, priority, signal }: Form) {
  const note: NewNote = { title, text, tags, priority, audience: undefined };
  const { id, revision } = await runtime.notes.create(note, { signal, idempotencyKey: undefined });
  const update: NoteUpdate = { title: undefined, text, tags };
  const options: UpdateOptions = { expectedRevision: revision, signal };
  await runtime.notes.update(id, update, options);
  const { next } = await runtime.notes.list({ after: undefined, limit: undefined });
  return runtime.notes.list({ after: next });
}

export async function upload(runtime: Runtime, file: File, onProgress?: (done: number) => void) {
  const options: FileWriteOptions = {
    mediaType: undefined,
    expectedRevision: undefined,
    onProgress,
  };
  return runtime.files.write(file.name, file, options);
}

export async function connect(port: MessagePort, elicit?: ConnectOptions['elicit']) {
  const client = await connectClient(new MessagePortTransport(port), {
    elicit,
    signal: undefined,
    timeoutMs: undefined,
  });
  document.querySelector('mcp-provider')!.client = client;
  return client;
}

export async function call(client: McpClient, options: CallOptions & ReadOptions) {
  const { signal, timeoutMs, onprogress, range } = options;
  await client.callTool('save_file', { path: 'a.txt' }, { signal, timeoutMs, onprogress });
  const { nextCursor } = await client.listTools({ cursor: undefined, signal });
  await client.listTools({ cursor: nextCursor });
  return client.readResource('file:///a.txt', { signal, range });
}

export function show(client: McpClient | undefined, uri: string | undefined) {
  const list = document.querySelector('mcp-resource-list')!;
  list.client = client;
  list.label = undefined;
  const view = document.querySelector('mcp-resource-view')!;
  list.addEventListener('mcp-resource-select', ({ resource }) => (view.uri = resource.uri));
  view.uri = uri;
}

addLanguage('ja', async () => ({ templates: { ...templates, 'mcp.retry': 'もう一度' } }));
