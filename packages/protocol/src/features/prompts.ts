import type { Call } from '../calls/call.js';
import { invalidParams } from '../wire/errors.js';
import { object, optional, recordOf, string } from '../wire/shapes.js';
import type { Params } from '../wire/types.js';
import { notFoundError, type ConnectionAccess } from './access.js';
import { isInputRequired } from './input-required.js';
import { pageOf } from './list-pages.js';
import type { Method } from './methods.js';
import type { Prompt, PromptArgument } from './prompt.js';
import { PROMPT_RESULT } from './result-shapes.js';
import { usableEntries } from './usable-facts.js';

/** The prompts of the server, and the access of one connection. */
export interface PromptParts<Context> {
  prompts: ReadonlyMap<string, Prompt<Context>>;
  access: ConnectionAccess<Context>;
}

const GET = object({ name: string, arguments: optional(recordOf(string)) });

/** The methods `prompts/list` and `prompts/get` of one connection. */
export function promptMethods<Context>(
  parts: PromptParts<Context>,
): [name: string, method: Method<Context>][] {
  return [
    [
      'prompts/list',
      {
        params: object({ cursor: optional(string) }),
        run: ({ cursor }) => pageOf('prompts', listPrompts(parts), cursor),
      },
    ],
    [
      'prompts/get',
      {
        params: GET,
        result: PROMPT_RESULT,
        // Messages may contain any stored data.
        isHeavy: () => true,
        run: (params, call) => getPrompt(parts, params, call),
      },
    ],
  ];
}

/**
 * Finds a prompt.
 *
 * @throws {ProtocolError} −32602 if the prompt does not exist or is not permitted.
 */
export function findPrompt<Context>(
  { prompts, access }: PromptParts<Context>,
  name: string,
): Prompt<Context> {
  const prompt = prompts.get(name);
  if (!prompt) throw notFoundError('Prompt', name);
  if (access.permitsPrompt?.(prompt) !== false) return prompt;
  access.denied?.(name);
  throw notFoundError('Prompt', name);
}

function listPrompts<Context>({
  prompts,
  access,
}: PromptParts<Context>): Prompt<Context>['listed'][] {
  const permitted = [...prompts.values()].filter((one) => access.permitsPrompt?.(one) ?? true);
  return permitted.map((prompt) => prompt.listed);
}

async function getPrompt<Context>(
  parts: PromptParts<Context>,
  params: Params,
  call: Call<Context>,
): Promise<object> {
  const prompt = findPrompt(parts, params['name'] as string);
  const values = (params['arguments'] ?? {}) as { [name: string]: string };
  for (const [name, argument] of Object.entries(prompt.arguments)) {
    const problem = problemOf(Object.hasOwn(values, name) ? values[name] : undefined, argument);
    if (problem !== undefined) throw invalidParams(`Invalid params: arguments.${name}: ${problem}`);
  }
  const found = await prompt.run({ ...values } as never, call);
  if (isInputRequired(found) || !Array.isArray(found?.messages)) return found;
  const messages = found.messages.map((message) => ({
    ...message,
    content: usableEntries([message?.content])[0],
  }));
  return { ...found, messages };
}

function problemOf(
  value: string | undefined,
  { required, minLength = 0, maxLength = Infinity }: PromptArgument<never>,
): string | undefined {
  if (value === undefined) return required ? 'is missing' : undefined;
  if (value.length < minLength) return minLength === 1 ? 'must not be empty' : 'is too short';
  return value.length > maxLength ? `is longer than ${maxLength} UTF-16 code units` : undefined;
}
