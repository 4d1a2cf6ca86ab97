import type { CompleteRequest, CompleteResult, ServerContext } from '@modelcontextprotocol/server';
import { invalidParams } from './protocol-errors.js';
import type { HandlerSeam } from './request-handlers.js';
import type { Completion } from './resource-provider.js';
import type { Resources } from './accessible-resources.js';

/** The most values that one answer carries (Utilities › Completion). */
export const MAX_COMPLETIONS = 100;

/**
 * Answers completions of resource templates from their providers. Those of prompts are answered by
 * `McpServer`, from the schemas of their arguments.
 */
export function withTemplates(router: Resources): HandlerSeam {
  return (method, handler) => {
    if (method !== 'completion/complete') return handler;
    return async (request: CompleteRequest, ctx) => {
      const { ref, argument, context } = request.params;
      if (ref.type !== 'ref/resource') return await handler(withSignal(request, ctx), ctx);
      const query = {
        uriTemplate: ref.uri,
        argument: argument.name,
        value: argument.value,
        chosen: context?.arguments ?? {},
      };
      return toResult(await router.complete(query, { signal: ctx.mcpReq.signal }));
    };
  };
}

/** The signal of a completion, by the context that the SDK hands to what completes an argument. */
const signals = new WeakMap<object, AbortSignal>();

/** The SDK (2.4.0) hands the context on, and nothing of the request. Drop it when it does. */
function withSignal(request: CompleteRequest, ctx: ServerContext): CompleteRequest {
  const context = { ...request.params.context };
  signals.set(context, ctx.mcpReq.signal);
  return { ...request, params: { ...request.params, context } };
}

/** Aborts when nobody waits any longer for the completion of a prompt's argument. */
export function signalOf(context: object | undefined): AbortSignal | undefined {
  return context && signals.get(context);
}

/** For a server whose prompts complete nothing. */
export function noPromptCompletion(): never {
  throw invalidParams('There is no such prompt.');
}

function toResult({ values, total }: Completion): CompleteResult {
  const sent = values.slice(0, MAX_COMPLETIONS);
  return { completion: { values: sent, total, hasMore: total > sent.length } };
}
