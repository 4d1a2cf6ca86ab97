// The page gives a frame of another origin a port to the worker, and decides what the frame may do.
import '@inpage-mcp/elements/define/mcp-consent';
import '@inpage-mcp/elements/define/mcp-provider';
import '@inpage-mcp/elements/define/mcp-resource-view';
import { startRuntime, type Runtime } from '@inpage-mcp/runtime';
import { otherOrigin } from './other-origin';

const consent = document.querySelector('mcp-consent')!;
const runtime: Runtime = await startRuntime({ confirm: consent.asConfirm(() => runtime) });
const { notes } = await runtime.notes.list({ limit: 1 });
const note = notes[0] ?? (await runtime.notes.create({ title: 'Shopping', text: '- milk' }));

await runtime.serveFrames({
  allowedOrigins: [otherOrigin],
  access: { read: ['note:///'], write: 'ask', tools: ['append_to_note'] },
});
const frame = document.querySelector('iframe')!;
frame.src = `${otherOrigin}${new URL('assistant.html', location.href).pathname}`;

document.querySelector('mcp-provider')!.client = await runtime.connect();
document.querySelector('mcp-resource-view')!.uri = `note:///${note.id}`;
