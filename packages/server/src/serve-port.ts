import type { Access } from './control-plane.js';
import type { ConnectionLimits } from './limits.js';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createServer, type ServerParts } from './create-server.js';
import { RequestJournal } from './request-journal.js';
import type { ActivityLog } from './activity-log.js';
import { ServedPortTransport } from './served-port-transport.js';
import { SubscribedUris } from './subscribed-uris.js';

/** What a port is served with. */
export interface ServePortOptions extends Omit<ServerParts, 'era' | 'subscribed'> {
  activity: ActivityLog;
  limits: ConnectionLimits;
  /** Counted from 1; names the connection in the activity log. */
  connectionNumber: number;
  /** Called once, when either side has ended the connection. */
  onclose: () => void;
}

/** A served port. */
export interface PortConnection {
  /** Ends the stream: open subscriptions get their result, then the port gets `null`. */
  close(): Promise<void>;
  /** Gives the connection another access, at once. */
  setAccess(access: Access): void;
}

/**
 * Serves MCP on one port, in the era of the client's first message, with a server of its own: no
 * answer or notification ever reaches another connection.
 */
export function servePort(port: MessagePort, options: ServePortOptions): PortConnection {
  const { activity, connectionNumber, onclose, ...parts } = options;
  const subscribed = new SubscribedUris();
  const journal = new RequestJournal(activity, connectionNumber);
  const transport = new ServedPortTransport(port, { journal, subscribed, onEnd: onclose });
  const served = serveStdio(
    ({ era }) => {
      transport.era = era;
      return createServer({ ...parts, era, subscribed });
    },
    { transport, onerror: parts.onerror },
  );
  return { close: () => served.close(), setAccess: () => undefined };
}
