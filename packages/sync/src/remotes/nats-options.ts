// Without the types of `@nats-io`: those do not pass the strictest checks of an app's compiler.

/** How a user shows a server who they are. A `jwt` with no `seed` is a bearer token. */
export type NatsCredentials =
  { token: string } | { user: string; pass: string } | { jwt: string; seed?: Uint8Array };

/** How to reach a stream. */
export interface NatsOptions {
  /** The addresses of the servers of one cluster, as `wss://host:443`. */
  servers: string | string[];
  /** Called for each connection, so that what expires can be made anew. Default: none. */
  credentials?: () => NatsCredentials | Promise<NatsCredentials>;
  /** The name of the user's own stream; it is created where it is missing. Default: `inpage-mcp`. */
  stream?: string;
  /** What the subjects begin with. Default: the name of the stream. */
  subjectPrefix?: string;
  /** How many servers of a cluster have each record, if the stream is created. Default: 1. */
  replicas?: number;
}

/** How long a server may take to connect or to answer, in milliseconds. */
export const NATS_TIMEOUT_MS = 10_000;
