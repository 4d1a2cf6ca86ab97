import { ProtocolError, type CallToolResult, type McpServer } from '@modelcontextprotocol/server';
import { cutText, toolErrorText, unlessAborted } from './protocol-errors.js';
import type { HandlerSeam } from './request-handlers.js';

type Run = (...args: { mcpReq: { signal: AbortSignal } }[]) => unknown;

/** The most that the SDK says of what does not fit: what the client sent may be named in it. */
const MAX_FINDINGS_LENGTH = 2_000;

/** How a tool has ended: with an error of the protocol, or with a result of its own. */
interface ToolEnd {
  error?: ProtocolError;
  hasFailed?: boolean;
}

/** The calls that came as far as their tool, by their signals, which every copy of a context has. */
const ended = new WeakMap<AbortSignal, ToolEnd>();

/**
 * Lets what a tool throws become a result with the text that a client may see. The SDK would send
 * any error's own message, whatever library made it; an app says something to the model by throwing
 * a `ToolError`, or by a result with `isError`. A `ProtocolError` is for the client: see
 * {@link errorsOfTools}.
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
      // The context comes last, after the arguments where there are some.
      const signal = args.at(-1)!.mcpReq.signal;
      const end: ToolEnd = {};
      ended.set(signal, end);
      try {
        const result = await run(...args);
        end.hasFailed = (result as CallToolResult | undefined)?.isError === true;
        return result;
      } catch (error) {
        if (!(error instanceof ProtocolError)) {
          end.hasFailed = true;
          return failed(toolErrorText(error, unlessAborted(signal, onerror)));
        }
        end.error = error;
        throw error;
      }
    });
  mcp.registerTool = registerGuarded as McpServer['registerTool'];
  /* oxlint-enable typescript/no-deprecated */
}

/**
 * Answers a call with the `ProtocolError` that its tool has thrown: the SDK (2.4.0) makes a result
 * with `isError` of all but one. What the SDK itself finds wrong with arguments and results is cut. Drop the
 * first when the SDK does it.
 */
export const errorsOfTools: HandlerSeam = (method, handler) => {
  if (method !== 'tools/call') return handler;
  return async (request, ctx) => {
    const result = (await handler(request, ctx)) as CallToolResult;
    const end = ended.get(ctx.mcpReq.signal);
    if (end?.error) throw end.error;
    return result.isError && !end?.hasFailed ? withShortTexts(result) : result;
  };
};

function withShortTexts(result: CallToolResult): CallToolResult {
  const content = result.content.map((block) =>
    block.type === 'text' ? { ...block, text: cutText(block.text, MAX_FINDINGS_LENGTH) } : block,
  );
  return { ...result, content };
}

function failed(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
