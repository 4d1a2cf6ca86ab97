import type {
  Implementation,
  InputRequiredOptions,
  RequestStateOptions,
} from '@inpage-mcp/protocol';
import type { Connection, Feature } from '../access/connection.js';
import type { ProviderSource } from '../resources/provider-host.js';

/** Which optional parts of `resources` are offered; both are by default. */
export interface ResourceCapabilities {
  /** `resources/subscribe`, and `resourceSubscriptions` of `subscriptions/listen`. */
  subscribe?: boolean;
  /** `notifications/resources/list_changed`. */
  listChanged?: boolean;
}

/** How an app sets its server up; see `startServer`. */
export interface ServerOptions {
  /** What the server says of itself to clients. Default: `inpage-mcp` and its version. */
  serverInfo?: Implementation;
  /** What the server says of itself to models. Default: that it holds the user's notes and files. */
  instructions?: string;
  /** What is served, in the order of listing. */
  providers: readonly ProviderSource[];
  /**
   * The tools and prompts. Default: `noteTools()`, `fileTools()`, `resourceTools()` and
   * `notePrompts()`; `[]` for none.
   */
  features?: readonly Feature[];
  /**
   * The app's own tools, prompts and methods: called with the server, once, before anything is
   * served. Resources go through `providers`.
   */
  configure?: Feature;
  /**
   * Whether results of tools link to the resource that was written (content of the type
   * `resource_link`). Some clients fail at it, and the uri is in the JSON as well. Default: true,
   * unless a port is opened otherwise.
   */
  resourceLinks?: boolean;
  /** Which optional parts of `resources` are offered. Default: all. */
  capabilities?: ResourceCapabilities;
  /** Checks the states that clients bring back to the app's tools and prompts. */
  requestState?: RequestStateOptions<Connection>;
  /** How often, and for how long, a legacy client is asked during one call. */
  inputRequired?: InputRequiredOptions;
  /** Called with each dropped message and failed delivery. Default: a warning on the console. */
  onerror?: (error: unknown) => void;
}
