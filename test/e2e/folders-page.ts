// A page that mounts what is dropped on it, for the tests of folders of the disk.
import { startRuntime } from '@inpage-mcp/runtime';

const asked: string[] = [];
const runtime = await startRuntime({
  databaseName: 'folders',
  confirm: ({ message }) => asked.push(message) > 0,
  limits: { page: { messageBytes: 32 * 1024 * 1024 } },
});
const client = await runtime.connect();

/** The handles of what was dropped last. */
let drop: Promise<FileSystemDirectoryHandle[]> = Promise.resolve([]);

addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', (event) => {
  event.preventDefault();
  const items = [...(event.dataTransfer?.items ?? [])] as (DataTransferItem & {
    getAsFileSystemHandle(): Promise<FileSystemDirectoryHandle>;
  })[];
  drop = Promise.all(items.map((item) => item.getAsFileSystemHandle()));
});

/** The uris of everything that a client lists. */
async function list(of = client): Promise<string[]> {
  const uris: string[] = [];
  for await (const resources of of.resources())
    for (const { uri } of resources) if (uri.startsWith('disk:')) uris.push(uri);
  return uris;
}

/** The text of a resource. */
async function read(uri: string, of = client): Promise<string> {
  const { contents } = await of.readResource(uri);
  const [content] = contents;
  if (!content) return '';
  return 'text' in content ? content.text : atob(content.blob);
}

/** Calls a tool; resolves to its text. */
async function call(name: string, args: Record<string, unknown>, of = client): Promise<string> {
  const { content } = await of.callTool(name, args);
  return content.map((one) => ('text' in one ? one.text : '')).join('\n');
}

const page = {
  runtime,
  client,
  asked,
  list,
  read,
  call,
  dropped: () => drop,
  /** A client of a guest, with this access. */
  guest: async (access: object) => {
    const { connectClient } = await import('@inpage-mcp/client');
    const { MessagePortTransport } = await import('@inpage-mcp/transport');
    return await connectClient(
      async () => new MessagePortTransport(await runtime.openPort({ access, limits: 'guest' })),
    );
  },
};

Object.assign(globalThis, { page });
export type FoldersPage = typeof page;
