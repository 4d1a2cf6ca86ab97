import type { McpResourceChangeEvent, McpResourceUpdateEvent } from '@inpage-mcp/elements/classes';

/**
 * Names the author of a change. The server knows a sandboxed frame only as a frame, but the page knows which
 * client is in it.
 *
 * @param names The names of the connections, by their numbers in the activity log.
 */
export const nameAuthorBy =
  (names: ReadonlyMap<number, string> | undefined) =>
  (event: McpResourceChangeEvent | McpResourceUpdateEvent): void => {
    const { connection, by } = event;
    if (connection !== undefined) event.by = names?.get(connection) ?? by;
  };
