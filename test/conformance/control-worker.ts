/**
 * The worker of `npm run conformance -- --control`: refuses every request. A scenario that passes
 * against it passes without a server.
 */
globalThis.addEventListener('message', ({ ports }: MessageEvent) => {
  for (const port of ports) refuseAll(port);
});

function refuseAll(port: MessagePort): void {
  port.addEventListener('message', ({ data }: MessageEvent<{ id?: number | string } | null>) => {
    if (data?.id === undefined) return;
    const error = { code: -32603, message: 'The control answers nothing.' };
    port.postMessage({ jsonrpc: '2.0', id: data.id, error });
  });
  port.start();
}
