/**
 * The parts of the official SDK that this package uses, so that its types do not depend on the SDK.
 * Params are `never`, because each major version of the SDK has other types for them.
 */

/** A transport of the SDK. */
export interface SdkTransport {
  /** Called with each message of the server. */
  onmessage?: ((message: never, extra?: never) => void) | undefined;
  /** The protocol revision in use. Only with HTTP. */
  readonly protocolVersion?: string | undefined;
  /** Called when the connection has ended. */
  onclose?: (() => void) | undefined;
}

/**
 * A `Client` of the official SDK: version 1 (`@modelcontextprotocol/sdk`) or version 2
 * (`@modelcontextprotocol/client`).
 */
export interface SdkClient {
  /** Defined while the client is connected. */
  readonly transport: SdkTransport | undefined;
  /** The capabilities that the server has declared. */
  getServerCapabilities(): object | undefined;
  /** The name and version of the server. */
  getServerVersion(): object | undefined;
  /** The protocol revision in use. Only in version 2. */
  getNegotiatedProtocolVersion?(): string | undefined;
  /** The era, `modern` or `legacy`. Only in version 2. */
  getProtocolEra?(): string | undefined;
  /** Sends a request, and checks its result with a schema. */
  request(request: never, resultSchema: never, options?: never): Promise<unknown>;
  /** Opens a `subscriptions/listen` stream. Only in version 2, and only in the modern era. */
  listen?(filter: never, options?: never): Promise<SdkSubscription>;
  /** Ends the connection. */
  close(): Promise<void>;
}

/** A `subscriptions/listen` stream of the SDK. */
export interface SdkSubscription {
  /** The notifications that the server has agreed to send. */
  readonly honoredFilter: object;
  /** Resolves when the stream has ended, from either side. */
  readonly closed?: Promise<unknown> | undefined;
}
