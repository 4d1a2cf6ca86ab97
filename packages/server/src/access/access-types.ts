import type { ChangedLimits } from '@inpage-mcp/protocol';

/** What a connection may see and do. */
export interface Access {
  /**
   * What the connection sees: `all`, or at most 100 addresses. An address that ends in `/`, `:`,
   * `?` or `=` covers every uri that begins with it, any other address exactly that uri. For the
   * connection, nothing else exists, whichever request it sends; and a built-in tool that could write
   * nothing is not offered. Default: `all`.
   */
  read?: 'all' | readonly string[] | undefined;
  /**
   * Tools that write: `allow` runs them; `ask` asks the user each time, unless the call fails anyway or
   * repeats a finished one; `deny` does not offer them.
   * For the page's own clients, the user is asked by elicitation if the client supports it, else by
   * the runtime's `confirm`, else the answer is no. For a guest, only `confirm` is used: a guest
   * could answer for its user. Default: `allow`.
   */
  write?: 'allow' | 'ask' | 'deny' | undefined;
  /** The tools that the connection may use: `all`, `none`, or their names. Default: `all`. */
  tools?: 'all' | 'none' | readonly string[] | undefined;
  /** The prompts that the connection may use, in the same form. Default: `all`. */
  prompts?: 'all' | 'none' | readonly string[] | undefined;
}

/**
 * Which limits apply to a connection: those of the page, or those of a guest. It is independent of
 * {@link HeldBy}: a port for an iframe of the page may have the limits of the page, and be a guest.
 */
export type LimitsOf = 'page' | 'guest';

/**
 * Who holds the other end of a port: the page itself, or a guest, which is everyone else. It
 * decides who is asked about a write, and whether the connection sees the activity of others. It is
 * independent of the limits.
 */
export type HeldBy = 'page' | 'guest';

/** How to serve a port. */
export interface ServedPortOptions {
  /** Default: everything. */
  access?: Access | undefined;
  /** Default: `page`. */
  limits?: LimitsOf | undefined;
  /** Who holds the other end. Default: `guest`. */
  heldBy?: HeldBy | undefined;
  /**
   * The namespace of its idempotency keys, on one line, such as the origin of a frame: no holder
   * can see or use the keys of another. Default: the page's, or one that all other guests share.
   */
  holder?: string | undefined;
  /**
   * Who it is, for people: the history of changes names it. Default: the `holder`, if there is one. Of the
   * page's own connections the history keeps only what one with a name has changed. At most 200 UTF-16 code
   * units.
   */
  name?: string | undefined;
  /**
   * Identifies the frame of the connection: all connections of a frame share one set of limits.
   * Default: the connection has its own limits.
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
   * The arguments of the call, such as the words that `append_to_note` is to add. Show them too, as
   * plain text: the message does not contain them. Without the idempotency key, which says nothing to
   * a user.
   */
  arguments: unknown;
  /**
   * If a frame asks: its origin, `null` for a sandboxed frame. If a desktop app asks: `desktop:` and the
   * name that it gives itself.
   */
  origin?: string;
}

/**
 * Asks the user. Anything but `true` is a no; so is an exception, or no answer within ten minutes.
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
