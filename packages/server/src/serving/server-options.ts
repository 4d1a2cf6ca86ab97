import type {
  Implementation,
  InputRequiredOptions,
  RequestStateOptions,
} from '@inpage-mcp/protocol';
import type { Connection, Feature } from '../access/connection-context.js';
import type { ProviderSource } from '../resources/provider-host.js';

/** The optional capabilities of `resources`. Default: both. */
export interface ResourceCapabilities {
  /**
   * Whether the server supports `resources/subscribe`, and `resourceSubscriptions` of `subscriptions/listen`.
   */
  subscribe?: boolean | undefined;
  /** Whether the server sends `notifications/resources/list_changed`. */
  listChanged?: boolean | undefined;
}

/** The options of a server; see `startServer`. */
export interface ServerOptions {
  /**
   * The name and version with which the server identifies itself to clients. Default: `inpage-mcp` and its
   * version.
   */
  serverInfo?: Implementation | undefined;
  /** Instructions for models. Default: a text that the server holds the user's notes and files. */
  instructions?: string | undefined;
  /**
   * The resources to serve, in the order of listing. Default: `notes()`, `files()`,
   * `runtimeResources()` and `disk()`.
   */
  providers?: readonly ProviderSource[] | undefined;
  /**
   * The tools and prompts. Default: `noteTools()`, `fileTools()`, `resourceTools()` and `notePrompts()`; use
   * `[]` for none.
   */
  features?: readonly Feature[] | undefined;
  /**
   * Adds the app's own tools, prompts and methods: called once with the server, before the first
   * connection. Resources belong in `providers`.
   */
  configure?: Feature | undefined;
  /**
   * Whether tool results link to the written resource (content of the type `resource_link`). Some
   * clients fail on such links; the uri is in the JSON as well. A port can turn the links off too.
   * Default: true.
   */
  resourceLinks?: boolean | undefined;
  /** The optional capabilities of `resources`. Default: all. */
  capabilities?: ResourceCapabilities | undefined;
  /** Verifies the states that clients return to the app's tools and prompts. */
  requestState?: RequestStateOptions<Connection> | undefined;
  /** The maximum number of times, and the maximum time, that a legacy client may be asked during one call. */
  inputRequired?: InputRequiredOptions | undefined;
  /** Called for each dropped message and failed delivery. Default: a warning on the console. */
  onerror?: ((error: unknown) => void) | undefined;
}
