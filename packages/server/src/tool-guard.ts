import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { toolErrorText, unlessAborted } from './protocol-errors.js';

type Run = (...args: { mcpReq: { signal: AbortSignal } }[]) => unknown;

/**
 * Lets what a tool throws become a result with the text that a client may see. The SDK would send
 * any error's own message, whatever library made it; an app says something to the model by
 * throwing a `ProtocolError`, or by a result with `isError`.
 */
export function guardTools(mcp: McpServer, onerror: (error: unknown) => void): void {
  // Of its overloads lint finds the deprecated one; every way to register passes here.
  /* oxlint-disable typescript/no-deprecated */
  const register = mcp.registerTool.bind(mcp) as (
    name: string,
    config: object,
    run: Run,
  ) => ReturnType<McpServer['registerTool']>;
  const registerGuarded = (name: string, config: object, run: Run) =>
    register(name, config, async (...args) => {
      try {
        return await run(...args);
      } catch (error) {
        // The context comes last, after the arguments where there are some.
        const signal = args.at(-1)!.mcpReq.signal;
        return failed(toolErrorText(error, unlessAborted(signal, onerror)));
      }
    });
  mcp.registerTool = registerGuarded as McpServer['registerTool'];
  /* oxlint-enable typescript/no-deprecated */
}

function failed(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
