/** The members of anything. */
export interface Members {
  [key: string]: unknown;
}

/** What came in, with what is looked at of it. */
export interface Received {
  id?: string | number;
  method?: string;
  params?: Members;
  result?: Members;
  error?: { code: number; message?: string; data?: unknown };
}

/** What the specification leaves no choice about in a message. */
export interface Outline {
  /** Of an answer. What the server asks has one of its own choice. */
  id?: string | number;
  method?: string;
  params?: unknown;
  result?: Members;
  error?: { code: number; data?: unknown };
  /** Of a batch of answers. */
  answers?: Outline[];
}

/** What a server has sent, in order. */
export type Transcript = Outline[];

/** The errors whose data the specification defines: what it lists, and nothing more, is compared. */
const DATA_OF: { [code: number]: readonly string[] } = {
  [-32002]: ['uri'],
  [-32021]: ['requiredCapabilities'],
  [-32022]: ['supported', 'requested'],
  [-32042]: ['elicitations'],
};

/** What a message is about. */
export interface Context {
  /** The methods of the client's requests, by their ids. */
  asked: ReadonlyMap<unknown, string>;
  /** The ids of the server's requests, in their order. */
  questionIds: readonly unknown[];
}

/** What the specification leaves no choice about in a message. */
export function outline(message: Received, context: Context): Outline {
  if (Array.isArray(message)) {
    return { answers: (message as Received[]).map((one) => outline(one, context)) };
  }
  const { id, method, params = {}, result, error } = plain(message);
  if (method !== undefined) return { method, params: withoutOwnIds(params, context) };
  const answered = id === undefined ? {} : { id };
  if (result) return { ...answered, result: essence(result, context.asked.get(id)) };
  const { code = 0, data } = error ?? {};
  const keys = code === -32602 && isObject(data) && 'uri' in data ? ['uri'] : DATA_OF[code];
  const defined = keys && { data: isObject(data) ? picked(data, keys) : data };
  return { ...answered, error: { code, ...defined } };
}

/** What a server sends has ids of its own choice; it may want progress, and say why it asks no more. */
function withoutOwnIds(params: Members, { questionIds }: Context): Members {
  const { elicitationId, requestId, reason: _reason, _meta: meta, ...rest } = params;
  // A log message of this project's server also names its request.
  const {
    progressToken: _token,
    'io.github.inpage-mcp/request': _request,
    ...own
  } = isObject(meta) ? meta : {};
  return {
    ...rest,
    ...(elicitationId !== undefined && { elicitationId: 'some id' }),
    ...(requestId !== undefined && { requestId: `question ${questionIds.indexOf(requestId)}` }),
    ...(Object.keys(own).length > 0 && { _meta: own }),
  };
}

/** A result without what the specification leaves to the server. */
function essence(result: Members, asked: string | undefined): Members {
  const { ttlMs, cacheScope, ...rest } = result;
  const hints = {
    ...(ttlMs !== undefined && { ttlMs: isTtl(ttlMs) ? 'valid' : ttlMs }),
    ...(cacheScope !== undefined && { cacheScope: isScope(cacheScope) ? 'valid' : cacheScope }),
  };
  return { ...rest, ...hints, ...withoutChoices(rest, asked) };
}

function withoutChoices(result: Members, asked: string | undefined): Members {
  const { isError, content, completion, prompts } = result;
  // How a failure is worded.
  if (isError === true && asked === 'tools/call') {
    return { content: (content as { type: string }[]).map(({ type }) => ({ type })) };
  }
  // Nothing is known of the number of completions, or that it is 0.
  if (isObject(completion) && completion['total'] === 0) {
    const { total: _zero, ...said } = completion;
    return { completion: said };
  }
  if (asked === 'prompts/list') return { prompts: (prompts as Members[]).map(withoutFalse) };
  return {};
}

/** An argument that need not be given may say so, and a prompt without any may have an empty list. */
function withoutFalse(prompt: Members): Members {
  const { arguments: known = [], ...said } = prompt;
  const args = (known as Members[]).map(({ required, ...argument }) =>
    required === true ? { ...argument, required } : argument,
  );
  return { ...said, arguments: args };
}

const isTtl = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;
const isScope = (value: unknown): boolean => value === 'public' || value === 'private';

function picked(data: Members, keys: readonly string[]): Members {
  return Object.fromEntries(keys.filter((key) => key in data).map((key) => [key, data[key]]));
}

/** As it would be in JSON. */
function plain(message: Received): Received {
  return JSON.parse(JSON.stringify(message)) as Received;
}

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
