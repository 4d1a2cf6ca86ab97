// The page shows the form of the tool, and answers its questions by a dialog.
import '@inpage-mcp/elements/define/mcp-consent';
import '@inpage-mcp/elements/define/mcp-provider';
import '@inpage-mcp/elements/define/mcp-tool-form';
import { startRuntime } from '@inpage-mcp/runtime/own-worker';

const runtime = await startRuntime({
  worker: () => new Worker(new URL('./question.worker.ts', import.meta.url), { type: 'module' }),
});
const elicit = document.querySelector('mcp-consent')!.asElicit({ requester: 'The restaurant' });
document.querySelector('mcp-provider')!.client = await runtime.connect({ elicit });
