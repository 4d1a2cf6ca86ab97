import { McpServer, ResourceNotFoundError } from '@inpage-mcp/protocol';
import { FIXED, FIXED_TEXT } from './fixed-text.js';

/** The protocol alone, on each port that it is given. */
const server = new McpServer(
  { name: 'fixed', version: '1' },
  {
    resources: {
      list: () => ({ resources: [FIXED] }),
      read(uri) {
        if (uri !== FIXED.uri) throw new ResourceNotFoundError(uri);
        return [{ uri, mimeType: FIXED.mimeType, text: FIXED_TEXT }];
      },
    },
  },
);

addEventListener('message', ({ ports: [port] }) => {
  if (port) server.serve(port);
});
