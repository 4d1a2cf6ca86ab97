const waiting: (() => void)[] = [];
let channel: MessageChannel | undefined;

/**
 * Runs something in a task of its own, behind the messages that have arrived at any port of this
 * thread until now. Timers would do as well, were they not held back when they follow each other.
 */
export function nextTask(run: () => void): void {
  channel ??= openChannel();
  waiting.push(run);
  channel.port1.postMessage(undefined);
}

function openChannel(): MessageChannel {
  const opened = new MessageChannel();
  opened.port2.onmessage = () => waiting.shift()?.();
  return opened;
}
