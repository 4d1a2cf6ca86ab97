import type { McpClient } from '@inpage-mcp/client';
import type { NoticeStack } from './notice-stack.js';

/** Tells when the connection is lost, and when it is back. Calls `onChange` each time. */
export function tellOfConnection(
  client: McpClient,
  notices: NoticeStack,
  onChange: () => void,
): void {
  client.watchState((state) => {
    onChange();
    if (state === 'reconnecting') notices.show('The server has gone; connecting again …');
    if (state === 'open') notices.show('Connected again. Nothing that was saved is lost.');
  });
  void client.closed.then(() => {
    onChange();
    notices.fail('The connection has ended.');
  });
}
