import { MessagePortTransport } from '@inpage-mcp/transport';
import { Client } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';

interface Members {
  [name: string]: unknown;
}

/** What the user and the host of a client answer. */
export interface Answers {
  elicit(params: Members): Members | Promise<Members>;
  sample(params: Members): Members;
  roots(): Members;
}

/** The result of a tool, as far as the tests look at it. */
export interface ToolResult {
  content: { type: string; text?: string }[];
  structuredContent?: unknown;
  isError?: boolean;
}

/** How a tool is called. */
export interface CallOptions {
  onprogress?: (progress: { progress: number; total?: number | undefined }) => void;
  signal?: AbortSignal;
  /** The least that is logged. Default: nothing is. */
  logLevel?: string;
}

/** What every client of the official SDK can do, in one shape. */
export interface AnyClient {
  readonly serverName: string | undefined;
  readonly capabilities: unknown;
  readonly instructions: string | undefined;
  readonly protocolVersion: string | undefined;
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  /** Of all pages. */
  listResources(): Promise<{ uri: string; title?: string | undefined }[]>;
  listTemplates(): Promise<{ uriTemplate: string }[]>;
  read(uri: string): Promise<{ uri: string; text?: string; blob?: string }[]>;
  listTools(): Promise<{ name: string }[]>;
  callTool(name: string, args?: Members, options?: CallOptions): Promise<ToolResult>;
  listPrompts(): Promise<{ name: string }[]>;
  getPrompt(name: string, args?: { [name: string]: string }): Promise<{ messages: unknown[] }>;
  complete(
    ref: Members,
    name: string,
    value: string,
  ): Promise<{ values: string[]; total?: number | undefined }>;
  /** Resolves once subscribed, with what ends that. */
  subscribe(uri: string, onUpdated: (uri: string) => void): Promise<() => Promise<unknown>>;
  /** Resolves once the client is notified of changes. */
  watch(list: 'tools' | 'resources', onChanged: () => void): Promise<void>;
  onLog(listener: (level: string, data: unknown) => void): void;
  close(): Promise<void>;
}

const INFO = { name: 'official', version: '1' };

/** Capabilities of a client that can be asked everything. */
const ABLE = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {} },
  roots: { listChanged: true },
};

const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

/**
 * The client of the SDK's second major version.
 *
 * @param version The one revision that it speaks. Default: all that it knows.
 * @param answers Default: it says that it cannot be asked anything.
 */
export async function sdkV2(
  port: MessagePort,
  mode: 'auto' | 'legacy',
  version?: string,
  answers?: Answers,
): Promise<AnyClient> {
  const client = new Client(INFO, {
    versionNegotiation: { mode },
    ...(version !== undefined && { supportedProtocolVersions: [version] }),
    ...(answers && { capabilities: ABLE }),
  });
  if (answers) {
    client.setRequestHandler(
      'elicitation/create',
      async ({ params }) => (await answers.elicit(params)) as never,
    );
    client.setRequestHandler(
      'sampling/createMessage',
      ({ params }) => answers.sample(params as never) as never,
    );
    client.setRequestHandler('roots/list', () => answers.roots() as never);
  }
  const closed = new Promise<void>((resolve) => {
    client.onclose = resolve;
  });
  await client.connect(new MessagePortTransport(port));
  const isModern = mode === 'auto';
  return {
    serverName: client.getServerVersion()?.name,
    capabilities: client.getServerCapabilities(),
    instructions: client.getInstructions(),
    protocolVersion: client.getNegotiatedProtocolVersion(),
    closed,
    listResources: async () => (await client.listResources()).resources,
    listTemplates: async () => (await client.listResourceTemplates()).resourceTemplates,
    read: async (uri) => (await client.readResource({ uri })).contents as never,
    listTools: async () => (await client.listTools()).tools,
    async callTool(name, args = {}, { onprogress, signal, logLevel } = {}) {
      const isSet = logLevel !== undefined && !isModern;
      // oxlint-disable-next-line typescript/no-deprecated -- the legacy revisions have it
      if (isSet) await client.setLoggingLevel(logLevel as never);
      const _meta = logLevel === undefined ? {} : { [LOG_LEVEL]: logLevel };
      const params = { name, arguments: args, ...(isModern && { _meta }) };
      const options = { ...(onprogress && { onprogress }), ...(signal && { signal }) };
      return (await client.callTool(params as never, options)) as ToolResult;
    },
    listPrompts: async () => (await client.listPrompts()).prompts,
    getPrompt: async (name, args = {}) => await client.getPrompt({ name, arguments: args }),
    complete: async (ref, name, value) =>
      (await client.complete({ ref: ref as never, argument: { name, value } })).completion,
    async subscribe(uri, onUpdated) {
      client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
        onUpdated(params.uri),
      );
      if (isModern) {
        const subscription = await client.listen({ resourceSubscriptions: [uri] });
        return () => subscription.close();
      }
      await client.subscribeResource({ uri });
      return () => client.unsubscribeResource({ uri });
    },
    async watch(list, onChanged) {
      client.setNotificationHandler(`notifications/${list}/list_changed`, () => onChanged());
      if (isModern) await client.listen({ [`${list}ListChanged`]: true });
    },
    onLog: (listener) =>
      client.setNotificationHandler('notifications/message', ({ params }) =>
        listener(params.level, params.data),
      ),
    close: () => client.close(),
  };
}

/** The client of the SDK's first major version. */
export async function sdkV1(port: MessagePort, answers?: Answers): Promise<AnyClient> {
  const client = new ClientV1(INFO, answers ? { capabilities: ABLE } : {});
  if (answers) {
    client.setRequestHandler(
      ElicitRequestSchema,
      async ({ params }) => (await answers.elicit(params)) as never,
    );
    client.setRequestHandler(
      CreateMessageRequestSchema,
      ({ params }) => answers.sample(params as never) as never,
    );
    client.setRequestHandler(ListRootsRequestSchema, () => answers.roots() as never);
  }
  const closed = new Promise<void>((resolve) => {
    client.onclose = resolve;
  });
  await client.connect(new MessagePortTransport(port) as never);
  const LIST_CHANGED = {
    tools: ToolListChangedNotificationSchema,
    resources: ResourceListChangedNotificationSchema,
  };
  return {
    serverName: client.getServerVersion()?.name,
    capabilities: client.getServerCapabilities(),
    instructions: client.getInstructions(),
    protocolVersion: '2025-11-25',
    closed,
    async listResources() {
      const all: { uri: string; title?: string | undefined }[] = [];
      let cursor: string | undefined;
      do {
        const page = await client.listResources(cursor === undefined ? {} : { cursor });
        all.push(...page.resources);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return all;
    },
    listTemplates: async () => (await client.listResourceTemplates()).resourceTemplates,
    read: async (uri) => (await client.readResource({ uri })).contents as never,
    listTools: async () => (await client.listTools()).tools,
    async callTool(name, args = {}, { onprogress, signal, logLevel } = {}) {
      if (logLevel !== undefined) await client.setLoggingLevel(logLevel as never);
      const options = { ...(onprogress && { onprogress }), ...(signal && { signal }) };
      return (await client.callTool({ name, arguments: args }, undefined, options)) as ToolResult;
    },
    listPrompts: async () => (await client.listPrompts()).prompts,
    getPrompt: async (name, args = {}) => await client.getPrompt({ name, arguments: args }),
    complete: async (ref, name, value) =>
      (await client.complete({ ref: ref as never, argument: { name, value } })).completion,
    async subscribe(uri, onUpdated) {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) =>
        onUpdated(params.uri),
      );
      await client.subscribeResource({ uri });
      return () => client.unsubscribeResource({ uri });
    },
    async watch(list, onChanged) {
      client.setNotificationHandler(LIST_CHANGED[list], () => onChanged());
    },
    onLog: (listener) =>
      client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) =>
        listener(params.level, params.data),
      ),
    close: () => client.close(),
  };
}
