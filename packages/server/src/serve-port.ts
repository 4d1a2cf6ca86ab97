import type { Access } from './control-plane.js';
import type { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { announceLists, endOfOpenRequest } from './access-changes.js';
import { callSafely } from './call-safely.js';
import { createServer, type ServerParts } from './create-server.js';
import { quietReports } from './quiet-reports.js';
import { RequestJournal } from './request-journal.js';
import type { ActivityLog } from './activity-log.js';
import { ServedPortTransport } from './served-port-transport.js';
import { SubscribedUris } from './subscribed-uris.js';

/** What a port is served with. */
export interface ServePortOptions extends Omit<ServerParts, 'era' | 'subscribed'> {
  activity: ActivityLog;
  /** Counted from 1; names the connection in the activity log. */
  connectionNumber: number;
  /** Whose share of the activity log it writes into. */
  activityHolder: string;
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
  const { activity, activityHolder, connectionNumber, onclose, ...given } = options;
  const parts = { ...given, onerror: surviving(given.onerror) };
  const { share, serverInfo } = parts;
  const subscribed = new SubscribedUris(share.subscriptions);
  const journal = new RequestJournal(activity, connectionNumber, activityHolder);
  const reports = quietReports(parts.onerror);
  const transport = new ServedPortTransport(port, {
    journal,
    subscribed,
    share,
    serverInfo,
    onEnd: () => {
      reports.end();
      onclose();
    },
  });
  const { permission } = parts;
  permission.ondenied = (subject) => journal.denied(subject);
  let mcp: McpServer | undefined;
  const served = serveStdio(
    ({ era }) => {
      transport.era = era;
      mcp = createServer({ ...parts, era, subscribed });
      return mcp;
    },
    // Those past the limit are refused before they get there.
    { transport, onerror: reports.report, maxSubscriptions: share.limits.subscriptions },
  );
  return {
    close: () => served.close(),
    setAccess(access) {
      permission.set(access);
      transport.endStreams((uri) => !permission.permits(uri));
      transport.failOpen((request) => endOfOpenRequest(request, permission));
      if (mcp) announceLists(mcp);
    },
  };
}

/** What the app's own listener throws is an error of its own, and ends nothing here. */
function surviving(onerror: (error: unknown) => void): (error: unknown) => void {
  return (error) => callSafely(() => onerror(error));
}
