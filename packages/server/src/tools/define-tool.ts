import {
  defineTool as define,
  ProtocolError,
  ToolError,
  type Call,
  type InputOf,
  type OutputOf,
  type SchemaSource,
  type Tool,
  type ToolAnswer,
  type ToolDefinition,
} from '@inpage-mcp/protocol';
import { StoreError, type StoreScope } from '@inpage-mcp/store';
import type { Connection } from '../access/connection-context.js';
import {
  DISK_URI,
  isDiskUri,
  type DiskArguments,
  type DiskTool,
} from '../resources/disk/disk-types.js';
import type { PermittedUris } from '../resources/resource-provider.js';

/**
 * Defines a tool whose `call.context` contains the data that its connection may see. A tool with a `question`
 * writes: `Access` decides whether the connection sees it, and who is asked first. Otherwise the same as
 * `defineTool` of `@inpage-mcp/protocol`.
 */
export function defineTool<
  const Input extends SchemaSource = { readonly type: 'object' },
  const Output extends SchemaSource = SchemaSource,
>(definition: ToolDefinition<Input, Output, Connection>): Tool<Connection> {
  return define(definition);
}

/** The hints of a tool that only reads. No tool of this package leaves the page. */
export const READS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** The hints of a tool that writes and loses nothing. */
export const ADDS = { ...READS, readOnlyHint: false, idempotentHint: false } as const;

/** The hints of a tool that replaces or deletes. */
export const REPLACES = { ...READS, readOnlyHint: false, destructiveHint: true } as const;

/** The part of a call that a tool of this package uses: a rehearsal does not have the others. */
export type OwnCall = Pick<Call<Connection>, 'context' | 'progress' | 'signal'>;

/** A tool of this package. */
interface OwnTool extends Tool<Connection> {
  /** Whether the tool can do anything in a part of the store. Default: it can. */
  readonly isUsableIn?: ((scope: StoreScope, permitted: PermittedUris) => boolean) | undefined;
}

/** The definition of a tool of this package. */
export interface OwnToolDefinition<Input extends SchemaSource, Output extends SchemaSource>
  extends
    Omit<ToolDefinition<Input, Output, Connection>, 'run' | 'question'>,
    Pick<OwnTool, 'isUsableIn'> {
  /** The question to the user, for a tool that writes. */
  question?: (input: OutputOf<Input>, call: OwnCall) => string | Promise<string>;
  run: (input: OutputOf<Input>, call: OwnCall) => Promise<ToolAnswer<InputOf<Output>>>;
  /**
   * The arguments for the disk if an argument is an address there. Default: the tool cannot write to the
   * disk.
   */
  onDisk?: (input: OutputOf<Input>, call: OwnCall) => DiskArguments | Promise<DiskArguments>;
  /** A text that is added to the error if the store does not have the entry. Default: none. */
  advice?: string;
}

/** The data that a connection may see. */
interface UsablePermission extends PermittedUris {
  scope: StoreScope;
}

/** Whether a connection can do anything with a tool. A tool of an app is assumed to be useful. */
export function isUsable(tool: Tool<Connection>, permission: UsablePermission): boolean {
  return (tool as OwnTool).isUsableIn?.(permission.scope, permission) ?? true;
}

/** Whether arguments of a tool name something on the disk. */
export function isOnDisk(input: unknown): boolean {
  const { path, from, to } = input as DiskArguments;
  return [path, from, to].some((one) => typeof one === 'string' && isDiskUri(one));
}

/**
 * Defines a tool of this package, otherwise like {@link defineTool}. The lookups of these tools throw
 * protocol errors; in a tool these become tool errors for the model, which has named an entry that does not
 * exist.
 *
 * Before its question, a call is rehearsed: if it would fail after a yes, it fails at once. If a finished
 * write with the same key is retried, the rehearsal returns its answer: then the user is not asked, and the
 * call does not run, because the key may expire in between.
 */
export function defineOwnTool<const Input extends SchemaSource, const Output extends SchemaSource>({
  advice,
  isUsableIn,
  onDisk,
  question,
  run,
  ...definition
}: OwnToolDefinition<Input, Output>): OwnTool {
  const name = definition.name as DiskTool;
  const rehearse = async (input: OutputOf<Input>, { context, signal }: OwnCall) =>
    await context.store.rehearse(async (store) =>
      run(input, { context: { ...context, store }, signal, progress: () => undefined }),
    );
  const tool = define<Input, Output, Connection>({
    ...definition,
    ...(question && {
      question: (input, call) =>
        throwToolErrors(async () => {
          if (onDisk && isOnDisk(input)) {
            const { disk, permitted } = call.context;
            return await disk.forTools.question(name, await onDisk(input, call), permitted);
          }
          return (await rehearse(input, call)) ?? question(input, call);
        }, advice),
    }),
    run: (input, call) =>
      throwToolErrors(async () => {
        if (!onDisk || !isOnDisk(input)) return await run(input, call);
        const args = await onDisk(input, call);
        const { disk, permitted } = call.context;
        const answer = await disk.forTools.write(name, args, call, permitted);
        // The answer of the disk is a part of the answer for a file.
        return answer as ToolAnswer<InputOf<Output>>;
      }, advice),
  });
  return {
    ...tool,
    isUsableIn: (scope, permitted) =>
      (isUsableIn?.(scope, permitted) ?? true) ||
      (onDisk !== undefined && permitted.mayPermit(DISK_URI)),
  };
}

async function throwToolErrors<Value>(
  work: () => Promise<Value>,
  advice: string | undefined,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw new ToolError(error.message);
    const isNotFound = error instanceof StoreError && error.code === 'not-found';
    if (isNotFound && advice !== undefined) throw new ToolError(`${error.message} ${advice}`);
    throw error;
  }
}
