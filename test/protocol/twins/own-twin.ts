import {
  definePrompt,
  defineTool,
  invalidParams,
  McpServer,
  ResourceNotFoundError,
  ToolError,
  UrlElicitationRequiredError,
  type Prompt,
  type PromptArgument,
  type ResourceChangeListener,
  type Resources,
  type Tool,
} from '@inpage-mcp/protocol';
import {
  ITEMS,
  resourceContents,
  resourcePage,
  TEMPLATE,
  TWIN_PROMPTS,
  URIS,
} from './prompts-and-resources.js';
import { AddressNeeded } from './questions.js';
import { ADDED_TOOLS, twinTools } from './tools.js';
import {
  INFO,
  INSTRUCTIONS,
  LateWork,
  matching,
  verifyState,
  type Twin,
  type TwinOptions,
  type TwinPrompt,
  type TwinTool,
} from './twin.js';

/** The server of this project. */
export function ownTwin({ isBare = false }: TwinOptions = {}): Twin {
  const { port1, port2 } = new MessageChannel();
  const late = new LateWork();
  let notify: ResourceChangeListener | undefined;
  const features = {
    tools: twinTools(late).map(ownTool),
    prompts: TWIN_PROMPTS.map(ownPrompt),
    resources: ownResources((listener) => {
      notify = listener;
    }),
  };
  const server = new McpServer(INFO, {
    instructions: INSTRUCTIONS,
    requestState: { verify: verifyState },
    onerror: () => undefined,
    ...(!isBare && features),
  });
  const connection = server.serve(port2);
  return {
    port: port1,
    late,
    update: (uri) => notify?.([{ uri, listChanged: false }]),
    changeList: () => notify?.([{ uri: 'twin:/new', listChanged: true }]),
    addTool: (name) => void server.addTool(ownTool(ADDED_TOOLS[name])),
    close: () => connection.close(),
  };
}

function ownTool({ name, description, input, output, run }: TwinTool): Tool {
  return defineTool({
    name,
    ...(description !== undefined && { description }),
    input,
    ...(output && { output }),
    run: (args, call) => withOwnErrors(() => run(args as never, call)) as never,
  });
}

/** The SDK shows a model every error of a tool; this project, those that are meant for it. */
async function withOwnErrors<Value>(run: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof AddressNeeded) throw new UrlElicitationRequiredError([error.elicitation]);
    throw new ToolError((error as Error).message);
  }
}

function ownPrompt({ name, arguments: known, run }: TwinPrompt): Prompt {
  const args = Object.entries(known).map(
    ([argument, { required = false, values = [] }]): [string, PromptArgument] => [
      argument,
      { required, complete: (typed) => matching(values, typed) },
    ],
  );
  return definePrompt({
    name,
    arguments: Object.fromEntries(args),
    run: (values, call) => run(values as { [name: string]: string }, call),
  });
}

/** @param setListener Gets the listener to changes; `undefined` once there is none. */
function ownResources(setListener: (listener?: ResourceChangeListener) => void): Resources {
  return {
    templates: [{ name: 'item', uriTemplate: TEMPLATE }],
    list(cursor) {
      const page = resourcePage(cursor);
      if (!page) throw invalidParams('This cursor was not given out.');
      return page;
    },
    read(uri, call) {
      if (!URL.canParse(uri)) throw invalidParams('This is no URI.', { uri });
      const contents = resourceContents(uri, call);
      if (!contents) throw new ResourceNotFoundError(uri);
      return contents;
    },
    complete({ uriTemplate, argument, value }) {
      const isThere = uriTemplate === TEMPLATE || URIS.includes(uriTemplate);
      if (!isThere) throw invalidParams('There is no such template, and no such resource.');
      const hasItem = uriTemplate === TEMPLATE && argument === 'item';
      const values = hasItem ? matching(ITEMS, value) : [];
      return { values, total: values.length };
    },
    listen(listener) {
      setListener(listener);
      return () => setListener();
    },
  };
}
