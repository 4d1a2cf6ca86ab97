import { msg } from '@lit/localize';
import type { ToolAnnotations } from '@inpage-mcp/client';

/**
 * Whether the user has to confirm a call: the tool may overwrite or delete, or the server does not
 * say that it does not (Tools › Tool: `destructiveHint` is true by default).
 */
export function mayDestroy({ readOnlyHint, destructiveHint }: ToolAnnotations): boolean {
  return readOnlyHint !== true && destructiveHint !== false;
}

/** What the server says about the effects of a tool, in sentences. */
export function effectsOf(annotations: ToolAnnotations): string[] {
  return [changeWords(annotations), repeatWords(annotations), reachWords(annotations)].filter(
    (words) => words !== undefined,
  );
}

function changeWords({ readOnlyHint, destructiveHint }: ToolAnnotations): string {
  if (readOnlyHint === true)
    return msg('Only reads: it changes nothing.', { id: 'mcp.tool-form.read-only' });
  if (destructiveHint === true)
    return msg('May overwrite or delete.', { id: 'mcp.tool-form.destructive' });
  return destructiveHint === false
    ? msg('Adds something, but does not overwrite or delete.', { id: 'mcp.tool-form.additive' })
    : msg('The server does not say whether it overwrites or deletes.', {
        id: 'mcp.tool-form.unknown-effect',
      });
}

function repeatWords({ readOnlyHint, idempotentHint }: ToolAnnotations): string | undefined {
  if (readOnlyHint === true || idempotentHint !== true) return undefined;
  return msg('A second call with the same values changes nothing more.', {
    id: 'mcp.tool-form.idempotent',
  });
}

function reachWords({ openWorldHint }: ToolAnnotations): string | undefined {
  if (openWorldHint === undefined) return undefined;
  return openWorldHint
    ? msg('May reach systems outside the server, such as the web.', {
        id: 'mcp.tool-form.open-world',
      })
    : msg('Stays within the server.', { id: 'mcp.tool-form.closed-world' });
}
