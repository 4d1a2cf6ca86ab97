import type { Call } from '../calls/call.js';
import { InputNeeded } from '../calls/input-needed.js';
import { issuesText } from '../schemas/index.js';
import { cutText, internalError, ProtocolError, ToolError } from '../wire/errors.js';
import type { Era } from '../wire/keys.js';
import { anyObject, object, optional, string } from '../wire/shapes.js';
import type { CallToolResult, Params } from '../wire/types.js';
import { unknownError, type ConnectionAccess } from './access.js';
import { contentProblem } from './content.js';
import { toProtocolError, type ErrorPolicy } from './handler-errors.js';
import { isInputRequired } from './input-required.js';
import { legacyListed, legacyOutput } from './legacy-outputs.js';
import { pageOf } from './list-pages.js';
import type { Method } from './methods.js';
import {
  failed,
  misfitText,
  type ListedTool,
  type Tool,
  type ToolAnswer,
  type ToolOutcome,
} from './tool.js';

/** What is said of tools in one place: those of the server, and what a connection may use of them. */
export interface ToolParts<Context> {
  tools: ReadonlyMap<string, Tool<Context>>;
  access: ConnectionAccess<Context>;
  errors: ErrorPolicy;
}

const CALL = object({ name: string, arguments: optional(anyObject) });

/** `tools/list` and `tools/call` of one connection. */
export function toolMethods<Context>(
  parts: ToolParts<Context>,
): [name: string, method: Method<Context>][] {
  return [
    [
      'tools/list',
      {
        params: object({ cursor: optional(string) }),
        run: ({ cursor }, { era }) => pageOf('tools', listed(parts, era), cursor),
      },
    ],
    ['tools/call', { params: CALL, run: (params, call) => callTool(parts, params, call) }],
  ];
}

function listed<Context>({ tools, access }: ToolParts<Context>, era: Era): ListedTool[] {
  const permitted = [...tools.values()].filter((tool) => access.permitsTool?.(tool) ?? true);
  const all = permitted.map((tool) => tool.listed);
  return era === 'legacy' ? all.map(legacyListed) : all;
}

async function callTool<Context>(
  { tools, access, errors }: ToolParts<Context>,
  params: Params,
  call: Call<Context>,
): Promise<object> {
  const name = params['name'] as string;
  const tool = tools.get(name);
  if (!tool) throw unknownError('Tool', name);
  if (access.permitsTool?.(tool) === false) {
    access.denied?.(name);
    throw unknownError('Tool', name);
  }
  try {
    return await run(tool, params['arguments'] ?? {}, call, access);
  } catch (error) {
    if (error instanceof ProtocolError || error instanceof InputNeeded) throw error;
    if (error instanceof ToolError) return failed(error.message);
    return failed(toProtocolError(error, call, errors).message);
  }
}

async function run<Context>(
  tool: Tool<Context>,
  args: unknown,
  call: Call<Context>,
  access: ConnectionAccess<Context>,
): Promise<object> {
  const checked = await tool.input.check(args);
  if (checked.issues) return failed(misfitText(checked.issues));
  const input = checked.value as never;
  const { question } = tool;
  if (question && access.beforeWrite) {
    const refusal = await access.beforeWrite(tool, () => question(input, call), call);
    if (refusal) return refusal;
  }
  // It may have been ended while it was checked, or somebody was asked.
  if (call.isOver) call.signal.throwIfAborted();
  const outcome: ToolOutcome = await tool.run(input, call);
  if (typeof outcome === 'string') return { content: [{ type: 'text', text: outcome }] };
  if (isInputRequired(outcome)) return outcome;
  const result = await resultOf(tool, outcome, access.takesLinks ?? true);
  if (call.era === 'modern' || result.structuredContent === undefined) return result;
  const structuredContent = legacyOutput(result.structuredContent, tool.output?.jsonSchema);
  return { ...result, structuredContent };
}

/** @throws {ProtocolError} −32603 for an answer that the protocol, or its own schema, does not allow. */
async function resultOf<Context>(
  tool: Tool<Context>,
  answer: ToolAnswer,
  takesLinks: boolean,
): Promise<CallToolResult> {
  const { links = [], ...said } = answer;
  const { structuredContent } = said;
  if (tool.output && said.isError !== true) {
    const checked = await tool.output.check(structuredContent);
    if (checked.issues) throw badResult(`structuredContent: ${issuesText(checked.issues)}`);
  }
  const own = said.content ?? [{ type: 'text' as const, text: inJson(structuredContent) }];
  const content = takesLinks && links.length > 0 ? [...own, ...links] : own;
  const problem = contentProblem(content);
  if (problem !== undefined) throw badResult(problem);
  return { ...said, content };
}

function inJson(structuredContent: unknown): string {
  return structuredContent === undefined ? '' : JSON.stringify(structuredContent);
}

function badResult(problem: string): ProtocolError {
  return internalError(`Invalid result of the tool: ${cutText(problem)}`);
}
