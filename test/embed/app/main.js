import '@inpage-mcp/elements';
import { startRuntime } from '@inpage-mcp/runtime';

const runtime = await startRuntime();
const { id } = await runtime.notes.create({ title: 'A title', text: '**A text**' });
document.querySelector('mcp-provider').client = await runtime.connect();
document.querySelector('mcp-resource-view').uri = `note:///${id}`;
