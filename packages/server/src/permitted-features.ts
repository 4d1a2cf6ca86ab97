import type { McpServer } from '@modelcontextprotocol/server';
import type { Permission } from './permission.js';
import { invalidParams } from './protocol-errors.js';
import type { HandlerSeam, RequestHandler } from './request-handlers.js';

interface Named {
  name: string;
}

interface ToolConfig {
  annotations?: { readOnlyHint?: boolean };
}

/** The names of the tools that say of themselves that they only read. */
export type ReadOnlyTools = ReadonlySet<string>;

/** Keeps track of which tools say that they only read; the others may write. */
export function watchReadOnlyTools(mcp: McpServer): ReadOnlyTools {
  const readOnly = new Set<string>();
  // Of its overloads lint finds the deprecated one; every way to register passes here.
  /* oxlint-disable typescript/no-deprecated */
  const register = mcp.registerTool.bind(mcp) as (
    ...args: unknown[]
  ) => ReturnType<McpServer['registerTool']>;
  const registerWatched = (name: string, config: ToolConfig, run: unknown) => {
    if (config.annotations?.readOnlyHint === true) readOnly.add(name);
    else readOnly.delete(name);
    return register(name, config, run);
  };
  mcp.registerTool = registerWatched;
  /* oxlint-enable typescript/no-deprecated */
  return readOnly;
}

/**
 * The one place where `Access.tools`, `Access.prompts` and what `Access.write` hides are held up:
 * what is not permitted is not listed, and called it is answered in the SDK's own words (2.4.0)
 * for what does not exist.
 */
export function permittedFeatures(permission: Permission, readOnly: ReadOnlyTools): HandlerSeam {
  const permitsTool = (name: string): boolean => permission.permitsTool(name, readOnly.has(name));
  const permitsPrompt = (name: string): boolean => permission.permitsPrompt(name);
  /** What is not permitted, as if there were no such thing. */
  const without = (kind: string, name: string): never => {
    permission.denied(name);
    throw invalidParams(`${kind} ${name} not found`);
  };
  return (method, handler) => {
    switch (method) {
      case 'tools/list':
        return listing(handler, 'tools', ({ name }) => permitsTool(name));
      case 'prompts/list':
        return listing(handler, 'prompts', ({ name }) => permitsPrompt(name));
      case 'tools/call':
        return checking(handler, ({ name }) => permitsTool(name) || without('Tool', name));
      case 'prompts/get':
        return checking(handler, ({ name }) => permitsPrompt(name) || without('Prompt', name));
      case 'completion/complete':
        return checking(
          handler,
          ({ ref }) =>
            ref?.type !== 'ref/prompt' || permitsPrompt(ref.name) || without('Prompt', ref.name),
        );
      default:
        return handler;
    }
  };
}

/** Leaves out of a list what is not permitted by the time it is given out. */
function listing(
  handler: RequestHandler,
  key: string,
  isPermitted: (entry: Named) => boolean,
): RequestHandler {
  return async (request, ctx) => {
    const result = (await handler(request, ctx)) as { [key: string]: Named[] };
    return { ...result, [key]: (result[key] ?? []).filter(isPermitted) };
  };
}

interface NamingParams {
  name: string;
  ref?: { type: string; name: string };
}

/** @param check Throws for what is not permitted. */
function checking(
  handler: RequestHandler,
  check: (params: NamingParams) => boolean,
): RequestHandler {
  return (request: { params: NamingParams }, ctx) => {
    check(request.params);
    return handler(request, ctx);
  };
}
