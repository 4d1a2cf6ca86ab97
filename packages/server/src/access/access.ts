import type { ConnectionLimits } from '@inpage-mcp/protocol';

/** What a connection may do, and see. */
export interface Access {
  /**
   * What it sees at all: `all`, or addresses. One that ends in `/`, `:`, `?` or `=` stands for
   * every uri that begins with it, any other for exactly that uri; at most 100 of them. What is
   * not among them does not exist for the connection, whatever it asks and in whatever way.
   * Default: `all`.
   */
  read?: 'all' | readonly string[];
  /**
   * Tools that write: `allow` runs them; `ask` asks the user each time; `deny` does not offer them.
   * The page's own clients ask by elicitation where they have it, else by the runtime's `confirm`,
   * else the answer is no. A guest is never asked about itself: for it there is `confirm` alone.
   * Default: `allow`.
   */
  write?: 'allow' | 'ask' | 'deny';
  /** The tools that there are for it: `all`, `none`, or by name. Default: `all`. */
  tools?: 'all' | 'none' | readonly string[];
  /** The prompts that there are for it, in the same way. Default: `all`. */
  prompts?: 'all' | 'none' | readonly string[];
}

/** Whose limits hold for a connection: the page's own, or those of a guest. */
export type LimitsOf = 'page' | 'guest';

/**
 * Who holds the other end of a port: the page itself, or a guest, which is everyone else. It says
 * who is asked about a write, and whether the connection sees what others have asked for. Limits say
 * nothing of it.
 */
export type HeldBy = 'page' | 'guest';

/** How to serve a port. */
export interface ServedPortOptions {
  /** Default: everything. */
  access?: Access;
  /** Default: `page`. */
  limits?: LimitsOf;
  /** Who holds the other end. Default: `guest`. */
  heldBy?: HeldBy;
  /**
   * Whose idempotency keys it uses, on one line, such as the origin of a frame: nobody learns or
   * takes the keys of another. Default: the page's, or those that all other guests share.
   */
  holder?: string;
  /**
   * Names the frame that it is of: the connections of a frame share the limits of one holder.
   * Default: it has those limits for itself.
   */
  frame?: string;
  /** Whether results of tools may hold links to resources. Default: true. */
  resourceLinks?: boolean;
}

/** A question to the page's user: may this tool go ahead? */
export interface ConfirmRequest {
  /** The name of the tool. */
  tool: string;
  /** What is about to happen, such as `Delete the note "Shopping"?`. Show it as plain text. */
  message: string;
  /** Who asks, where that is a frame: its origin, `null` for a sandboxed one. */
  origin?: string;
}

/**
 * Answers a question; anything but `true` is a no, so is throwing, or ten minutes of silence.
 *
 * @param context.signal Aborts when nobody waits for the answer any more: the call was cancelled, its
 *   connection has ended, or ten minutes are over. Close the dialog then: another may be asked for.
 */
export type Confirm = (
  request: ConfirmRequest,
  context: { signal: AbortSignal },
) => boolean | Promise<boolean>;

/** What differs from the default limits. */
export type LimitChanges = { [who in LimitsOf]?: Partial<ConnectionLimits> };
