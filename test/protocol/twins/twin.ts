import type {
  ContentBlock,
  InputRequiredResult,
  InputResponses,
  LogLevel,
} from '@inpage-mcp/protocol';

/** One of two servers that have the same features, and a port to it. */
export interface Twin {
  readonly port: MessagePort;
  /** What calls would still send after their answer. */
  readonly late: LateWork;
  /** The contents at an address have changed. */
  update(uri: string): void;
  /** The list of resources has changed. */
  changeList(): void;
  /** Adds one of the tools that are not there from the start. */
  addTool(name: 'added' | 'list'): void;
  close(): void;
}

/** What a twin is made of. */
export interface TwinOptions {
  /** Whether it has no tools, no prompts and no resources. Default: false. */
  isBare?: boolean | undefined;
}

/** What the tools and prompts of both servers get, whichever of the two runs them. */
export interface TwinCall {
  readonly signal: AbortSignal;
  readonly inputResponses: InputResponses | undefined;
  readonly requestState: unknown;
  progress(progress: number, total?: number, message?: string): void;
  log(level: LogLevel, data: unknown, logger?: string): void;
}

/** What a handler gives: a result, or a question to the client. */
export type Outcome<Result> = Result | InputRequiredResult | Promise<Result | InputRequiredResult>;

/** The result of a tool, in the words that both packages take. */
export interface TwinResult {
  content?: ContentBlock[];
  structuredContent?: unknown;
  isError?: boolean;
  _meta?: object;
}

/** Arguments, as they come. */
export interface Args {
  [name: string]: unknown;
}

/** A JSON Schema. */
export interface Schema {
  type: string;
  [keyword: string]: unknown;
}

/** A tool of both servers. */
export interface TwinTool {
  name: string;
  description?: string;
  input: Schema & { type: 'object' };
  output?: Schema;
  run(args: Args, call: TwinCall): Outcome<TwinResult>;
}

/** A prompt of both servers. */
export interface TwinPrompt {
  name: string;
  arguments: { [name: string]: { required?: true; values?: readonly string[] } };
  run(
    args: { [name: string]: string | undefined },
    call: TwinCall,
  ): Outcome<{ messages: { role: 'user' | 'assistant'; content: ContentBlock }[] }>;
}

/** Who both servers are. */
export const INFO = { name: 'twin', version: '1.2.3' };
export const INSTRUCTIONS = 'It has a twin.';

/** What `requestState.verify` of both servers lets pass. */
export function verifyState(state: string): string {
  if (state.startsWith('sealed:')) return state.slice('sealed:'.length);
  throw new Error('This state was not made here.');
}

/** What calls have left to be done later, by a test: they send what they must not send any more. */
export class LateWork {
  #works: (() => void)[] = [];

  add(work: () => void): void {
    this.#works.push(work);
  }

  /** Does what is left. */
  run(): void {
    const works = this.#works;
    this.#works = [];
    for (const work of works) work();
  }
}

/** The completions of both servers. */
export function matching(values: readonly string[], typed: string): string[] {
  return values.filter((value) => value.startsWith(typed));
}
