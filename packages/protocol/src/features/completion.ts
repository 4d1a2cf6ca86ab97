import type { Call } from '../calls/call.js';
import { invalidParams, invalidResultError } from '../wire/errors.js';
import { listOf, number, object, optional, recordOf, string, type Shape } from '../wire/shapes.js';
import type { Params } from '../wire/types.js';
import type { Method } from './methods.js';
import type { Completion } from './prompt.js';
import { findPrompt, type PromptParts } from './prompts.js';
import type { Resources } from './resources.js';

/** The maximum number of values in one answer (Utilities › Completion). */
export const MAX_COMPLETIONS = 100;

/** The prompts and resources that can be completed. */
export interface CompletionParts<Context> extends PromptParts<Context> {
  /** The resources; `undefined` if the connection has none. */
  resources: Resources<Context> | undefined;
}

const PROMPT_REF = object({ name: string });
const RESOURCE_REF = object({ uri: string });
const TYPED_REF = object({ type: string });

const ref: Shape = (value, path) => {
  const problem = TYPED_REF(value, path);
  if (problem !== undefined) return problem;
  const { type } = value as { type: string };
  if (type === 'ref/prompt') return PROMPT_REF(value, path);
  if (type === 'ref/resource') return RESOURCE_REF(value, path);
  return `${path}.type: expected one of "ref/prompt", "ref/resource"`;
};

const COMPLETE = object({
  ref,
  argument: object({ name: string, value: string }),
  context: optional(object({ arguments: optional(recordOf(string)) })),
});

const FOUND = object({ values: listOf(string), total: number });

interface CompleteParams {
  ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string };
  argument: { name: string; value: string };
  context?: { arguments?: { [name: string]: string } };
}

/** The method `completion/complete` of one connection. */
export function completionMethod<Context>(parts: CompletionParts<Context>): Method<Context> {
  return {
    params: COMPLETE,
    uris({ ref: target }) {
      const { uri } = target as { uri?: unknown };
      return typeof uri === 'string' ? [uri] : [];
    },
    // Suggestions may come from any stored data.
    isHeavy: () => true,
    async run(params, call) {
      const given = await complete(parts, params as Params & CompleteParams, call);
      const found = withTexts(given);
      const problem = FOUND(found, 'completion');
      if (problem !== undefined) throw invalidResultError(call.method, problem);
      const { values } = found;
      const sent = values.slice(0, MAX_COMPLETIONS);
      // Official clients refuse the values if the total is not a valid number.
      const total = Math.max(Math.ceil(found.total), sent.length);
      return { completion: { values: sent, total, hasMore: total > sent.length } };
    },
  };
}

/**
 * The completion without the values that are not strings, because official clients would refuse all values
 * for one of them.
 */
function withTexts(found: Completion): Completion {
  const { values } = (found ?? {}) as Partial<Completion>;
  return Array.isArray(values)
    ? { ...found, values: values.filter((value) => typeof value === 'string') }
    : found;
}

async function complete<Context>(
  parts: CompletionParts<Context>,
  { ref: target, argument, context }: CompleteParams,
  call: Call<Context>,
): Promise<Completion> {
  const { name, value } = argument;
  const chosen = context?.arguments ?? {};
  if (target.type === 'ref/prompt') {
    const { arguments: known } = findPrompt(parts, target.name);
    const completed = Object.hasOwn(known, name) ? known[name]?.complete : undefined;
    const found = (await completed?.(value, chosen, call)) ?? [];
    return Array.isArray(found) ? { values: found, total: found.length } : (found as Completion);
  }
  const { resources } = parts;
  if (!resources) throw invalidParams('There is no such resource template.');
  const query = { uriTemplate: target.uri, argument: name, value, chosen };
  return (await resources.complete?.(query, call)) ?? { values: [], total: 0 };
}
