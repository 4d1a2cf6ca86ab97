// The page provides a resource, which its clients read and subscribe to like any other.
import '@inpage-mcp/elements/define/mcp-provider';
import '@inpage-mcp/elements/define/mcp-resource-view';
import { startRuntime } from '@inpage-mcp/runtime';

const textarea = document.querySelector('textarea')!;
const runtime = await startRuntime();
const selection = await runtime.provide({
  uri: 'app:///selection',
  name: 'selection',
  title: 'The selected text',
  mimeType: 'text/plain',
  read: () => textarea.value.slice(textarea.selectionStart, textarea.selectionEnd),
});
// Each client that subscribes is notified, and reads again.
document.addEventListener('selectionchange', () => void selection.changed());
document.querySelector('mcp-provider')!.client = await runtime.connect();
