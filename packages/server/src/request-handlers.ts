import type { McpServer, ServerContext } from '@modelcontextprotocol/server';

/** The part of an `McpServer` that speaks the protocol. */
export type InnerServer = McpServer['server'];

/** A handler of any method; each knows the types of its own. */
// oxlint-disable-next-line typescript/no-explicit-any
export type RequestHandler = (request: any, ctx: ServerContext) => unknown;

/** What is made of a handler before the server gets it. */
export type HandlerSeam = (method: string, handler: RequestHandler) => RequestHandler;

/**
 * Lets every request handler that is set from now on pass through a seam. `McpServer` sets its own
 * for tools, prompts and completion when the first is registered, and an app may set more: what
 * all of them have in common then stands in one place.
 */
export function passThrough(server: InnerServer, seam: HandlerSeam): void {
  const set = server.setRequestHandler.bind(server) as (...args: unknown[]) => void;
  const setThroughSeam = (method: string, ...rest: unknown[]): void => {
    // With a schema of its own, a handler is the third argument.
    const handler = rest.pop() as RequestHandler;
    set(method, ...rest, seam(method, handler));
  };
  server.setRequestHandler = setThroughSeam;
}
