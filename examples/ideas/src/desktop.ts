// Claude Desktop and other programs reach the page through `npx @inpage-mcp/bridge` on this computer.
import '@inpage-mcp/elements/define/mcp-consent';
import { startRuntime, type Runtime } from '@inpage-mcp/runtime';

const consent = document.querySelector('mcp-consent')!;
const output = document.querySelector('output')!;
const agrees = async (message: string, signal: AbortSignal): Promise<boolean> =>
  (await consent.ask({ message, lasting: false }, { signal })).decision === 'once';

const runtime: Runtime = await startRuntime({ confirm: consent.asConfirm(() => runtime) });
const desktop = await runtime.serveDesktop({
  pair: ({ code, signal }) => agrees(`Does the bridge show the code ${code}?`, signal),
  access: async ({ name, signal }) =>
    (await agrees(`May ${name} read your notes, and change them after a question?`, signal))
      ? { read: ['note:///'], write: 'ask', tools: 'all' }
      : undefined,
  onstatechange: (state) => (output.textContent = state),
  onhosts: (hosts) =>
    (output.textContent = hosts.map(({ name }) => name).join(', ') || 'No program is connected.'),
});
const button = document.querySelector('button')!;
button.disabled = false;
button.addEventListener('click', () => {
  desktop.connect().catch((error: Error) => (output.textContent = error.message));
});
