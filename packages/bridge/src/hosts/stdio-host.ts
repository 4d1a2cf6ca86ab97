import type { JsonRpcMessage } from '@inpage-mcp/transport';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { HostSession, type HostSessionOptions } from '../session/host-session.js';
import { MAX_HOST_MESSAGE_BYTES, MAX_UNREAD_BYTES } from '../wire/limits.js';
import { errorAnswer, isAnswer } from '../wire/messages.js';

/** How a host over stdio is served. */
export interface StdioHostOptions extends Omit<HostSessionOptions, 'send' | 'setPaused'> {
  /** Called once, when the host has closed stdin, or does not read stdout. */
  onclose: () => void;
}

/** Serves the host that has started this process. */
export async function serveStdioHost({
  onclose,
  ...options
}: StdioHostOptions): Promise<HostSession> {
  const { stdin, stdout } = process;
  // The SDK adds listeners for each message that the host has not read, and Node would warn of a leak.
  stdout.setMaxListeners(0);
  const transport = new StdioServerTransport(stdin, stdout, {
    maxBufferSize: MAX_HOST_MESSAGE_BYTES,
  });
  /** Sends an error instead of an answer that is nested too deep for `JSON.stringify`. */
  const sendInstead = async (message: JsonRpcMessage): Promise<void> => {
    if (!isAnswer(message) || message.id === undefined) return;
    const error = { code: -32_603, message: 'The answer of the page cannot be written.' };
    await transport.send(errorAnswer(message.id, error)).catch(() => undefined);
  };
  const session = new HostSession({
    ...options,
    send(message) {
      transport.send(message).catch(() => sendInstead(message));
      if (stdout.writableLength > MAX_UNREAD_BYTES) void transport.close();
    },
    setPaused(isPaused) {
      if (isPaused) stdin.pause();
      else stdin.resume();
    },
  });
  transport.onmessage = (message) => session.receive(message);
  transport.onerror = (error) => console.error('inpage-mcp bridge: stdin:', error.message);
  transport.onclose = () => {
    session.close();
    onclose();
  };
  await transport.start();
  return session;
}
