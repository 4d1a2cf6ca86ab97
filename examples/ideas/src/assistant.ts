// The page in the frame: a client of the server of the page around it.
import { connectClient } from '@inpage-mcp/client';
import { connectToParent, MessagePortTransport } from '@inpage-mcp/transport';
import { otherOrigin } from './other-origin';

const list = document.querySelector('ul')!;
const button = document.querySelector('button')!;
const output = document.querySelector('output')!;

// With a function, the client connects again if the page reloads.
const client = await connectClient(
  async (signal) =>
    new MessagePortTransport(await connectToParent({ parentOrigin: otherOrigin, signal })),
);
const { resources } = await client.listResources();
for (const { title, name } of resources) {
  const item = document.createElement('li');
  item.textContent = title ?? name;
  list.append(item);
}

button.addEventListener('click', async () => {
  output.textContent = 'Waiting for the user …';
  const input = { id: resources[0]?.uri, text: '- bananas' };
  // The user of the page is asked first, so the answer may take a while.
  const result = await client.callTool('append_to_note', input, { timeoutMs: 5 * 60_000 });
  output.textContent = result.isError ? 'The user said no.' : 'Added.';
});
button.disabled = false;
