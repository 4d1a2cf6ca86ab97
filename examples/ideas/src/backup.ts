// The user exports everything as a zip, and imports it again, here or in another browser.
import '@inpage-mcp/elements/define/mcp-provider';
import '@inpage-mcp/elements/define/mcp-resource-list';
import '@inpage-mcp/elements/define/mcp-storage';
import { startRuntime } from '@inpage-mcp/runtime';

const start = startRuntime();
document.querySelector('button')!.addEventListener('click', async () => {
  const runtime = await start;
  const text = `Written at ${new Date().toLocaleTimeString()}.`;
  await runtime.notes.create({ title: 'A note', text });
});

const runtime = await start;
document.querySelector('mcp-provider')!.client = await runtime.connect();
document.querySelector('mcp-storage')!.storage = runtime.storage;
