import '@inpage-mcp/elements';
import { startRuntime } from '@inpage-mcp/runtime';

const start = startRuntime();
const provider = document.querySelector('mcp-provider')!;
const view = document.querySelector('mcp-resource-view')!;
provider.addEventListener('mcp-resource-select', ({ resource }) => {
  view.uri = resource.uri;
});
// If the start fails, the provider says why, with a button.
provider.client = start.then((runtime) => runtime.connect());

async function writeFirstNote(): Promise<void> {
  const runtime = await start;
  const { notes } = await runtime.notes.list({ limit: 1 });
  if (notes.length > 0) return;
  await runtime.notes.create({
    title: 'Hello',
    text: '# Hello\n\nThis note is in **your** browser.',
  });
}
void writeFirstNote();
