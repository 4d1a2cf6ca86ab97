const waiting: (() => void)[] = [];
let channel: MessageChannel | undefined;

/**
 * Runs a function in its own task, after the messages that have already arrived at any port of this
 * thread. A timer would also work, but browsers delay nested timers.
 */
export function nextTask(run: () => void): void {
  channel ??= openChannel();
  waiting.push(run);
  channel.port1.postMessage(undefined);
}

function openChannel(): MessageChannel {
  const opened = new MessageChannel();
  opened.port2.onmessage = () => waiting.shift()?.();
  // In Node, the port must not keep the process from exiting.
  for (const port of [opened.port1, opened.port2] as { unref?: () => void }[]) port.unref?.();
  return opened;
}
