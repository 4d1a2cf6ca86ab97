import { MessagePortTransport } from '@inpage-mcp/transport';
import {
  completable,
  fromJsonSchema,
  McpServer,
  ProtocolError,
  ResourceNotFoundError,
  ResourceTemplate,
  UrlElicitationRequiredError,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';
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
  type Args,
  type Twin,
  type TwinCall,
  type TwinOptions,
  type TwinPrompt,
  type TwinTool,
} from './twin.js';

/** The server of the official SDK. */
export function sdkTwin({ isBare = false }: TwinOptions = {}): Twin {
  const { port1, port2 } = new MessageChannel();
  const late = new LateWork();
  const subscribed = new Set<string>();
  let era: 'legacy' | 'modern' = 'legacy';
  let live: McpServer | undefined;
  const handle = serveStdio(
    (connection) => {
      era = connection.era;
      live = isBare ? bareServer() : fullServer(late, subscribed);
      return live;
    },
    { transport: new MessagePortTransport(port2), onerror: () => undefined },
  );
  return {
    port: port1,
    late,
    update(uri) {
      const isWanted = era === 'modern' || subscribed.has(uri);
      if (isWanted) void live?.server.sendResourceUpdated({ uri });
    },
    changeList: () => void live?.server.sendResourceListChanged(),
    addTool: (name) => live && addTool(live, ADDED_TOOLS[name]),
    close: () => void handle.close(),
  };
}

function bareServer(): McpServer {
  return new McpServer(INFO, { instructions: INSTRUCTIONS, capabilities: { logging: {} } });
}

function fullServer(late: LateWork, subscribed: Set<string>): McpServer {
  const sdk = new McpServer(INFO, {
    instructions: INSTRUCTIONS,
    capabilities: { logging: {}, resources: { subscribe: true, listChanged: true } },
    requestState: { verify: verifyState },
  });
  for (const tool of twinTools(late)) addTool(sdk, tool);
  for (const prompt of TWIN_PROMPTS) addPrompt(sdk, prompt);
  addResources(sdk, subscribed);
  return sdk;
}

function addTool(sdk: McpServer, { name, description, input, output, run }: TwinTool): void {
  const config = {
    ...(description !== undefined && { description }),
    inputSchema: fromJsonSchema<Args>(input),
    ...(output && { outputSchema: fromJsonSchema(output) }),
  };
  sdk.registerTool(name, config, (args, context) => {
    try {
      return run(args, callOf(context)) as never;
    } catch (error) {
      if (!(error instanceof AddressNeeded)) throw error;
      throw new UrlElicitationRequiredError([error.elicitation]);
    }
  });
}

function addPrompt(sdk: McpServer, { name, arguments: known, run }: TwinPrompt): void {
  const shape = Object.entries(known).map(([argument, { required, values }]) => {
    const field = required ? z.string() : z.string().optional();
    const complete = (typed: string | undefined): string[] => matching(values ?? [], typed ?? '');
    return [argument, values ? completable(field as never, complete as never) : field] as const;
  });
  const argsSchema = z.object(Object.fromEntries(shape) as { [name: string]: z.ZodType<string> });
  sdk.registerPrompt(
    name,
    { argsSchema },
    (args: { [name: string]: string }, context: ServerContext) =>
      run(args, callOf(context)) as never,
  );
}

function addResources(sdk: McpServer, subscribed: Set<string>): void {
  for (const uri of URIS) {
    sdk.registerResource(uri, uri, {}, (_uri, context) => contentsFor(uri, context));
  }
  const complete = { item: (value: string) => matching(ITEMS, value) };
  const template = new ResourceTemplate(TEMPLATE, { list: undefined, complete });
  sdk.registerResource('item', template, {}, ({ href }, _variables, context) =>
    contentsFor(href, context),
  );
  // It has no pages, and no subscriptions of the legacy era: both are an app's own.
  const { server } = sdk;
  server.setRequestHandler('resources/list', ({ params }) => {
    const page = resourcePage(params?.cursor);
    if (!page) throw new ProtocolError(-32602, 'This cursor was not given out.');
    return page;
  });
  server.setRequestHandler('resources/subscribe', ({ params }) => {
    subscribed.add(params.uri);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
}

function contentsFor(uri: string, context: ServerContext): never {
  const contents = resourceContents(uri, callOf(context));
  if (!contents) throw new ResourceNotFoundError(uri);
  return (Array.isArray(contents) ? { contents } : contents) as never;
}

function callOf({ mcpReq }: ServerContext): TwinCall {
  const { signal, inputResponses, _meta } = mcpReq;
  const progressToken = _meta?.progressToken;
  return {
    signal,
    inputResponses: inputResponses as TwinCall['inputResponses'],
    requestState: mcpReq.requestState(),
    progress(progress, total, message) {
      if (progressToken === undefined) return;
      const params = { progressToken, progress, total, message };
      mcpReq.notify({ method: 'notifications/progress', params } as never).catch(drop);
    },
    // oxlint-disable-next-line typescript/no-deprecated -- every revision so far has it
    log: (level, data, logger) => void mcpReq.log(level, data, logger).catch(drop),
  };
}

/** It was sent after the end of the connection. */
const drop = (): undefined => undefined;
