/** Calls back after the messages that wait for this page by now, on whatever port. */
export function afterWaiting(run: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    run();
  };
  port2.postMessage(undefined);
}
