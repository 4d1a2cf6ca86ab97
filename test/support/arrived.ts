/** In WebKit (2.50) messages on several ports have no order; none was ever two channels late. */
const CHANNELS = 5;

/** Resolves once every message has been handed out that was posted before, between ports of this thread. */
export async function arrived(): Promise<void> {
  for (let opened = 0; opened < CHANNELS; opened += 1) {
    const { port1, port2 } = new MessageChannel();
    port2.postMessage(undefined);
    await new Promise((resolve) => (port1.onmessage = resolve));
    port1.close();
  }
}
