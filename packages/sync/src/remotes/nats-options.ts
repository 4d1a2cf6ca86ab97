// This file does not use the types of `@nats-io`, because they do not pass the strictest checks of an app's
// compiler.

/** The credentials with which a user logs in to a server. A `jwt` without a `seed` is a bearer token. */
export type NatsCredentials =
  { token: string } | { user: string; pass: string } | { jwt: string; seed?: Uint8Array };

/** Options for a stream. */
export interface NatsOptions {
  /** The addresses of the servers of one cluster, such as `wss://host:443`. */
  servers: string | string[];
  /**
   * The credentials. Called for each connection, so that expired ones can be created again. Default: none.
   */
  credentials?: () => NatsCredentials | Promise<NatsCredentials>;
  /** The name of the user's own stream; it is created if it does not exist. Default: `inpage-mcp`. */
  stream?: string;
  /** The prefix of the subjects. Default: the name of the stream. */
  subjectPrefix?: string;
  /** The number of servers of a cluster that have each record, if the stream is created. Default: 1. */
  replicas?: number;
}

/** The timeout for a server to connect or to answer, in milliseconds. */
export const NATS_TIMEOUT_MS = 10_000;
