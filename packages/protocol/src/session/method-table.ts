import type { LegacyClient } from '../calls/pending-call.js';
import type { ConnectionAccess } from '../features/access.js';
import { completionMethod } from '../features/completion.js';
import type { ErrorPolicy } from '../features/handler-errors.js';
import type { RequestStateOptions } from '../features/input-required.js';
import type { Method } from '../features/methods.js';
import type { Prompt } from '../features/prompt.js';
import { promptMethods } from '../features/prompts.js';
import { resourceMethods, type Resources } from '../features/resources.js';
import { subscriptionMethods, type SubscriptionParts } from '../features/subscription-methods.js';
import type { Tool } from '../features/tool.js';
import { toolMethods } from '../features/tools.js';
import type { Era } from '../wire/keys.js';
import type { Implementation, Params, ServerCapabilities } from '../wire/types.js';
import { handshakeMethods } from './handshake.js';

/** What a connection serves. */
export interface ServedParts<Context> {
  info: Implementation;
  /** The same without icons: it goes out with each result. */
  briefInfo: Implementation;
  instructions: string | undefined;
  tools: ReadonlyMap<string, Tool<Context>>;
  prompts: ReadonlyMap<string, Prompt<Context>>;
  /** `undefined` where there are none. */
  resources: Resources<Context> | undefined;
  /** Methods of an app's own. */
  methods: ReadonlyMap<string, Method<Context>>;
  access: ConnectionAccess<Context>;
  errors: ErrorPolicy;
  requestState: RequestStateOptions<Context> | undefined;
  maxRounds: number;
  roundTimeoutMs: number;
  /** Whether there ever was one: then its list is offered, empty or not, as clients may know of it. */
  had: { readonly tools: boolean; readonly prompts: boolean };
  /** What is offered at the moment. */
  capabilities(era: Era | undefined): ServerCapabilities;
  /** Whether a request may look through everything that is stored. */
  isHeavy(method: string, params: Params | undefined): boolean;
}

/** What the methods of one connection need of it. */
interface ConnectionPart extends SubscriptionParts {
  client: LegacyClient;
}

/** Every method of one connection, by its name: those of the protocol go before an app's own. */
export function methodsOf<Context>(
  served: ServedParts<Context>,
  connection: ConnectionPart,
): ReadonlyMap<string, Method<Context>> {
  const { info, instructions, resources, had } = served;
  const { capabilities, client } = connection;
  return new Map<string, Method<Context>>([
    ...served.methods,
    ...handshakeMethods({ info, instructions, capabilities }, client),
    ...offered(() => had.tools, toolMethods(served)),
    ...offered(() => had.prompts, promptMethods(served)),
    ...(resources ? resourceMethods(resources) : []),
    ...offered(
      () => had.prompts || resources !== undefined,
      [['completion/complete', completionMethod(served)]],
    ),
    ...subscriptionMethods(connection),
  ]);
}

/** Methods that there are only while their capability is offered. */
function offered<Context>(
  isOffered: () => boolean,
  methods: [name: string, method: Method<Context>][],
): [name: string, method: Method<Context>][] {
  return methods.map(([name, method]) => [name, { ...method, isOffered }]);
}
