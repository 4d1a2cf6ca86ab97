import type { CompleteRequest, CompleteResult } from '@modelcontextprotocol/server';
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
      if (ref.type !== 'ref/resource') return await handler(request, ctx);
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

/** For a server whose prompts complete nothing. */
export function noPromptCompletion(): never {
  throw invalidParams('There is no such prompt.');
}

function toResult({ values, total }: Completion): CompleteResult {
  const sent = values.slice(0, MAX_COMPLETIONS);
  return { completion: { values: sent, total, hasMore: total > sent.length } };
}
