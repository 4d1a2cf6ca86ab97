import type { Call } from '../calls/call.js';
import { InputNeeded } from '../calls/input-needed.js';
import { asJson, issuesText, type Checked, type Schema } from '../schemas/index.js';
import { invalidResultError, ProtocolError, ToolError } from '../wire/errors.js';
import { isObject } from '../wire/is-object.js';
import { anyObject, object, optional, string } from '../wire/shapes.js';
import type { CallToolResult, Params, TextContent } from '../wire/types.js';
import { notFoundError, type ConnectionAccess } from './access.js';
import { isVisibleTo, listedFor, takesApps } from './apps.js';
import { toProtocolError, type ErrorPolicy } from './handler-errors.js';
import { isInputRequired } from './input-required.js';
import { toLegacyTool, toLegacyOutput } from './legacy-outputs.js';
import { pageOf } from './list-pages.js';
import type { Method } from './methods.js';
import { BLOCK, TOOL_RESULT } from './result-shapes.js';
import {
  errorResult,
  invalidArgumentsText,
  type ListedTool,
  type Tool,
  type ToolAnswer,
  type ToolOutcome,
} from './tool.js';
import { usableEntries } from './usable-facts.js';

/** The tools of the server, and the access and error policy of one connection. */
export interface ToolParts<Context> {
  tools: ReadonlyMap<string, Tool<Context>>;
  access: ConnectionAccess<Context>;
  errors: ErrorPolicy;
}

const CALL = object({ name: string, arguments: optional(anyObject) });

/** The methods `tools/list` and `tools/call` of one connection. */
export function toolMethods<Context>(
  parts: ToolParts<Context>,
): [name: string, method: Method<Context>][] {
  return [
    [
      'tools/list',
      {
        params: object({ cursor: optional(string) }),
        run: ({ cursor }, call) => pageOf('tools', listTools(parts, call), cursor),
      },
    ],
    [
      'tools/call',
      {
        params: CALL,
        result: TOOL_RESULT,
        isHeavy: ({ name: tool, arguments: args = {} }) =>
          parts.tools.get(tool as string)?.isHeavy?.(args as Params) ?? false,
        run: (params, call) => callTool(parts, params, call),
      },
    ],
  ];
}

/** The tools that a connection may see, in the form that its client understands. */
export function listTools<Context>(
  { tools, access }: ToolParts<Context>,
  call: Call<Context>,
): ListedTool[] {
  const permitted = [...tools.values()].filter(
    (tool) => isFor(tool, call) && (access.permitsTool?.(tool) ?? true),
  );
  const isShowingApps = takesApps(call.clientCapabilities);
  const all = permitted.map(({ listed }) => listedFor(listed, isShowingApps, access));
  return call.era === 'legacy' ? all.map(toLegacyTool) : all;
}

/** Whether a tool exists for a client. A tool only for apps exists only if the client shows apps. */
function isFor<Context>({ listed }: Tool<Context>, { clientCapabilities }: Call<Context>): boolean {
  return isVisibleTo(listed, 'model') || takesApps(clientCapabilities);
}

async function callTool<Context>(
  { tools, access, errors }: ToolParts<Context>,
  params: Params,
  call: Call<Context>,
): Promise<object> {
  const name = params['name'] as string;
  const tool = tools.get(name);
  if (!tool || !isFor(tool, call)) throw notFoundError('Tool', name);
  if (access.permitsTool?.(tool) === false) {
    access.denied?.(name);
    throw notFoundError('Tool', name);
  }
  try {
    return await run(tool, params['arguments'] ?? {}, call, access);
  } catch (error) {
    if (error instanceof ProtocolError || error instanceof InputNeeded) throw error;
    if (error instanceof ToolError) return errorResult(error.message);
    return errorResult(toProtocolError(error, call, errors).message);
  }
}

async function run<Context>(
  tool: Tool<Context>,
  args: unknown,
  call: Call<Context>,
  access: ConnectionAccess<Context>,
): Promise<object> {
  const checked = await tool.input.check(args);
  if (checked.issues) return errorResult(invalidArgumentsText(checked.issues));
  const input = checked.value as never;
  const { question } = tool;
  let done: ToolAnswer | undefined;
  const ask = async (): Promise<string | undefined> => {
    const asked = await question!(input, call);
    if (typeof asked === 'string') return asked;
    done = asked;
    return undefined;
  };
  const refusal = question && (await access.beforeWrite?.(tool, ask, call, args));
  if (refusal) return refusal;
  // The call may have ended while its input was checked or the user was asked.
  if (call.isOver) call.signal.throwIfAborted();
  const outcome: ToolOutcome = done ?? (await tool.run(input, call));
  if (isInputRequired(outcome)) return outcome;
  const answer = typeof outcome === 'string' ? { content: textContent(outcome) } : outcome;
  if (!isObject(answer)) throw invalidResultError(call.method, 'expected a text or an object');
  const result = await resultOf(tool, answer, call, access.takesLinks ?? true);
  if (call.era === 'modern' || result.structuredContent === undefined) return result;
  const structuredContent = toLegacyOutput(result.structuredContent, tool.output?.jsonSchema);
  return { ...result, structuredContent };
}

/**
 * The result of an answer.
 *
 * @throws {ProtocolError} −32603 for an answer that is not valid for the output schema.
 */
async function resultOf<Context>(
  tool: Tool<Context>,
  answer: ToolAnswer,
  call: Call<Context>,
  takesLinks: boolean,
): Promise<CallToolResult> {
  const { links = [], structuredContent, ...result } = answer;
  const output = tool.output
    ? await checkOutput(tool.output, answer, call.method)
    : structuredContent && jsonOf(asJson(structuredContent), call.method);
  const own = result.content ?? textContent(output === undefined ? '' : JSON.stringify(output));
  const content = takesLinks && links.length > 0 ? [...own, ...links] : own;
  return {
    ...result,
    ...(output !== undefined && { structuredContent: output }),
    content: usableContent(content),
  };
}

/**
 * The valid parts of a content. If no part is valid, returns all, so that the answer is refused. Otherwise it
 * would look like an empty one.
 */
function usableContent(content: CallToolResult['content']): CallToolResult['content'] {
  const usable = Array.isArray(content) ? usableEntries(content, BLOCK) : [];
  return usable.length > 0 ? usable : content;
}

/**
 * The checked structured result, as JSON, because clients check it again: it has its defaults, and no members
 * that are `undefined`. Only a failed call may lack it.
 */
async function checkOutput(
  { check }: Schema,
  { structuredContent, isError }: ToolAnswer,
  method: string,
): Promise<unknown> {
  if (structuredContent === undefined) {
    if (isError) return undefined;
    const problem = 'is missing, although the tool has an output schema';
    throw invalidResultError(method, `structuredContent: ${problem}`);
  }
  return jsonOf(await check(structuredContent), method);
}

function jsonOf(checked: Checked, method: string): unknown {
  if (!checked.issues) return checked.value;
  throw invalidResultError(method, `structuredContent: ${issuesText(checked.issues)}`);
}

function textContent(text: string): TextContent[] {
  return [{ type: 'text', text }];
}
