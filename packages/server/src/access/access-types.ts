import type { ChangedLimits } from '@inpage-mcp/protocol';

/** The access of a connection: the resources that it may see, and the tools and prompts that it may use. */
export interface Access {
  /**
   * The addresses that the connection sees: `all`, or at most 100 addresses. An address that ends in `/`,
   * `:`, `?` or `=` covers every uri that begins with it, any other address exactly that uri. For the
   * connection, nothing else exists, in any request. A built-in tool that could write nothing is not offered.
   * Default: `all`.
   */
  read?: 'all' | readonly string[] | undefined;
  /**
   * The access to tools that write: `allow` runs them; `ask` asks the user each time, unless the call fails
   * anyway or repeats a finished one; `deny` does not offer them. For the page's own clients, the user is
   * asked by elicitation if the client supports it, otherwise by the runtime's `confirm`, otherwise the
   * answer is no. For a guest, only `confirm` is used, because a guest could answer for its user. Default:
   * `allow`.
   */
  write?: 'allow' | 'ask' | 'deny' | undefined;
  /** The tools that the connection may use: `all`, `none`, or their names. Default: `all`. */
  tools?: 'all' | 'none' | readonly string[] | undefined;
  /** The prompts that the connection may use, in the same form. Default: `all`. */
  prompts?: 'all' | 'none' | readonly string[] | undefined;
}

/**
 * The limits that apply to a connection: those of the page, or those of a guest. They are independent of
 * {@link HeldBy}: a port for an iframe of the page may have the limits of the page, and be a guest.
 */
export type LimitsOf = 'page' | 'guest';

/**
 * The holder of the other end of a port: the page itself, or a guest, which is everyone else. The holder
 * decides who is asked about a write, and whether the connection sees the activity of others. It is
 * independent of the limits.
 */
export type HeldBy = 'page' | 'guest';

/** Options for serving a port. */
export interface ServedPortOptions {
  /** The access of the connection. Default: everything. */
  access?: Access | undefined;
  /** The limits of the connection. Default: `page`. */
  limits?: LimitsOf | undefined;
  /** The holder of the other end. Default: `guest`. */
  heldBy?: HeldBy | undefined;
  /**
   * The namespace of its idempotency keys, on one line, such as the origin of a frame: no holder
   * can see or use the keys of another. Default: the page's, or one that all other guests share.
   */
  holder?: string | undefined;
  /**
   * The name of the holder for people: the history of changes shows it. Default: the `holder`, if it is set.
   * Of the page's own connections, the history keeps only the changes of those with a name. At most 200
   * UTF-16 code units.
   */
  name?: string | undefined;
  /**
   * The id of the frame of the connection: all connections of a frame share one set of limits. Default: the
   * connection has its own limits.
   */
  frame?: string | undefined;
  /** Whether tool results may contain links to resources. Default: true. */
  resourceLinks?: boolean | undefined;
}

/** A question to the page's user: may this tool run? */
export interface ConfirmRequest {
  /** The name of the tool. */
  tool: string;
  /** The question, such as `Delete the note "Shopping"?`. Show it as plain text. */
  message: string;
  /**
   * The arguments of the call, such as the text that `append_to_note` adds. Show them too, as plain text: the
   * message does not contain them. Without the idempotency key, which means nothing to a user.
   */
  arguments: unknown;
  /**
   * The origin of the frame that asks, `null` for a sandboxed frame; or `desktop:` and the name that a
   * desktop app gives itself.
   */
  origin?: string;
}

/**
 * Asks the user. Any answer but `true` counts as no; so does an exception, or no answer within ten minutes.
 *
 * @param context.signal Aborts when the answer is no longer needed: the call was cancelled, its
 *   connection was closed, or ten minutes are over. Close the dialog then: another may follow.
 */
export type Confirm = (
  request: ConfirmRequest,
  context: { signal: AbortSignal },
) => boolean | Promise<boolean>;

/** Overrides of the default limits. */
export type LimitChanges = { [who in LimitsOf]?: ChangedLimits | undefined };
