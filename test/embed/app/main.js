import { addNotesApps } from '@inpage-mcp/apps';
import '@inpage-mcp/elements';
import '@inpage-mcp/elements/define/mcp-app';
import { startRuntime } from '@inpage-mcp/runtime';

const runtime = await startRuntime();
const { id } = await runtime.notes.create({ title: 'A title', text: '**A text**' });
// A folder of the page's own storage, as no user is there to open one of the disk.
const root = await navigator.storage.getDirectory();
const folder = await root.getDirectoryHandle('Project', { create: true });
await folder.getFileHandle('readme.md', { create: true });
await runtime.mountFolder(folder, { keep: false });
document.querySelector('mcp-provider').client = await runtime.connect();
document.querySelector('mcp-resource-view').uri = `note:///${id}`;

// What the worker loads for it, and the frame that it is in, are files that the bundler has to find.
await addNotesApps(runtime);
const app = document.createElement('mcp-app');
Object.assign(app, {
  client: await runtime.connect({ apps: true }),
  tool: 'show_notes',
  call: true,
});
document.body.append(app);
