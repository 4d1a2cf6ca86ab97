import type { LegacyClient } from '../calls/pending-call.js';
import type { ConnectionAccess } from '../features/access.js';
import { readApp, type AppEntry } from '../features/apps.js';
import { completionMethod } from '../features/completion.js';
import type { ErrorPolicy } from '../features/handler-errors.js';
import type { RequestStateOptions } from '../features/input-required.js';
import type { Method } from '../features/methods.js';
import type { Prompt } from '../features/prompt.js';
import { promptMethods } from '../features/prompts.js';
import { NO_RESOURCES, resourceMethods, type Resources } from '../features/resources.js';
import { subscriptionMethods, type SubscriptionParts } from '../features/subscription-methods.js';
import type { Tool } from '../features/tool.js';
import { listTools, toolMethods } from '../features/tools.js';
import type { Era } from '../wire/keys.js';
import type { Implementation, ServerCapabilities } from '../wire/types.js';
import { handshakeMethods } from './handshake.js';

/** All parts that a connection serves. */
export interface ServedParts<Context> {
  info: Implementation;
  /** The identity without icons, which is sent with each result. */
  briefInfo: Implementation;
  instructions: string | undefined;
  tools: ReadonlyMap<string, Tool<Context>>;
  prompts: ReadonlyMap<string, Prompt<Context>>;
  apps: ReadonlyMap<string, AppEntry>;
  /** The resources; `undefined` if the connection has none. */
  resources: Resources<Context> | undefined;
  /** The app's own methods. */
  methods: ReadonlyMap<string, Method<Context>>;
  access: ConnectionAccess<Context>;
  errors: ErrorPolicy;
  requestState: RequestStateOptions<Context> | undefined;
  maxRounds: number;
  roundTimeoutMs: number;
  /**
   * Whether a tool, prompt or app ever existed: its list then stays offered, even if it is empty, because
   * clients may know it.
   */
  had: { readonly tools: boolean; readonly prompts: boolean; readonly apps: boolean };
  /** The capabilities that are offered at the moment. */
  capabilities(era: Era | undefined): ServerCapabilities;
}

/** The parts of a connection that its methods use. */
interface ConnectionPart extends SubscriptionParts {
  client: LegacyClient;
}

/** Every method of one connection, by its name: the protocol's methods replace an app's own. */
export function methodsOf<Context>(
  served: ServedParts<Context>,
  connection: ConnectionPart,
): ReadonlyMap<string, Method<Context>> {
  const { info, instructions, resources, had } = served;
  const { capabilities, client } = connection;
  return new Map<string, Method<Context>>([
    ...served.methods,
    ...handshakeMethods({ info, instructions, capabilities }, client),
    ...offerWhile(() => had.tools, toolMethods(served)),
    ...offerWhile(() => had.prompts, promptMethods(served)),
    ...offerWhile(
      () => had.apps || resources !== undefined,
      resourceMethods(resources ?? NO_RESOURCES, (uri, call) =>
        readApp(served, uri, call, () => listTools(served, call)),
      ),
    ),
    ...offerWhile(
      () => had.prompts || resources !== undefined,
      [['completion/complete', completionMethod(served)]],
    ),
    ...subscriptionMethods(connection),
  ]);
}

/** Methods that exist only while their capability is offered. */
function offerWhile<Context>(
  isOffered: () => boolean,
  methods: [name: string, method: Method<Context>][],
): [name: string, method: Method<Context>][] {
  return methods.map(([name, method]) => [name, { ...method, isOffered }]);
}
