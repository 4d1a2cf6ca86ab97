import '@inpage-mcp/elements';
import { startRuntime } from '@inpage-mcp/runtime/own-worker';

const runtime = await startRuntime({ worker: () => new Worker('/worker.js', { type: 'module' }) });
const { id } = await runtime.notes.create({ title: 'A title', text: '**A text**' });
// Its development server mounts no folders.
await runtime.files.write('readme.md', new Blob(['A file']));
document.querySelector('mcp-provider').client = await runtime.connect();
document.querySelector('mcp-resource-view').uri = `note:///${id}`;
