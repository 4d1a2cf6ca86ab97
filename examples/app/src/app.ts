import { connectToHost } from '@inpage-mcp/client/app';

// The page of a tool `roll_dice`, whose result has `{ dice: number[] }`. The host may be any: `<mcp-app>`,
// Claude, VS Code. Its colours, fonts and language are those of this document from here on.
const host = await connectToHost({ appInfo: { name: 'Dice', version: '1.0.0' } });

const output = document.createElement('output');
const again = document.createElement('button');
again.textContent = 'Roll again';
document.body.append(output, ' ', again);

function show(data: unknown): void {
  const { dice = [] } = (data ?? {}) as { dice?: number[] };
  output.textContent = dice.join(' + ') || 'Rolling …';
}

// The result of the call may be there already, or come later, when a model has written the arguments.
host.addEventListener('result', () => show(host.data()));
host.addEventListener('cancelled', () => {
  output.textContent = host.cancelled?.reason ?? 'Not rolled.';
});
show(host.data());

again.addEventListener('click', async () => {
  again.disabled = true;
  try {
    const result = await host.client.callTool('roll_dice');
    show(result.structuredContent);
  } catch (error) {
    output.textContent = (error as Error).message;
  }
  again.disabled = false;
});
