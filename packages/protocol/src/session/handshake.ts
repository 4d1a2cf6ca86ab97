import type { LegacyClient } from '../calls/pending-call.js';
import type { Method } from '../features/methods.js';
import { REVISIONS } from '../wire/keys.js';
import { anyObject, object, oneOf, string } from '../wire/shapes.js';
import {
  LOG_LEVELS,
  type ClientCapabilities,
  type Implementation,
  type LogLevel,
  type ServerCapabilities,
} from '../wire/types.js';

/** The identity of a server. */
export interface ServerIdentity {
  info: Implementation;
  instructions: string | undefined;
  capabilities(): ServerCapabilities;
}

const INITIALIZE = object({
  protocolVersion: string,
  capabilities: anyObject,
  clientInfo: object({ name: string, version: string }),
});

/**
 * The methods that begin a connection: `initialize`, `ping` and `logging/setLevel`, or
 * `server/discover`.
 */
export function handshakeMethods(
  { info, instructions, capabilities }: ServerIdentity,
  client: LegacyClient,
): [name: string, method: Method][] {
  const optional = instructions === undefined ? {} : { instructions };
  return [
    [
      'initialize',
      {
        era: 'legacy',
        params: INITIALIZE,
        run({ protocolVersion, capabilities: declared, clientInfo }) {
          const requested = protocolVersion as string;
          client.revision = REVISIONS.legacy.includes(requested) ? requested : REVISIONS.legacy[0];
          client.capabilities = declared as ClientCapabilities;
          client.info = clientInfo as Implementation;
          client.offered = capabilities();
          return {
            protocolVersion: client.revision,
            capabilities: client.offered,
            serverInfo: info,
            ...optional,
          };
        },
      },
    ],
    ['ping', { era: 'legacy', run: () => ({}) }],
    [
      'logging/setLevel',
      {
        era: 'legacy',
        params: object({ level: oneOf(LOG_LEVELS) }),
        run({ level }) {
          client.logLevel = level as LogLevel;
          return {};
        },
      },
    ],
    [
      'server/discover',
      {
        era: 'modern',
        run: () => ({
          supportedVersions: [...REVISIONS.modern],
          capabilities: capabilities(),
          ...optional,
        }),
      },
    ],
  ];
}
