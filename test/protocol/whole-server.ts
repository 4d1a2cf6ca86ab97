import {
  createRequestStateCodec,
  definePrompt,
  defineTool,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceNotFoundError,
  ToolError,
  type Call,
  type ResourceChangeListener,
} from '@inpage-mcp/protocol';

const ROUTE = { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] } as const;

/** A form with one field. */
const form = (message: string, field: string) => ({
  message,
  requestedSchema: {
    type: 'object' as const,
    properties: { [field]: { type: 'string' } },
    required: [field],
  },
});

const QUESTION = {
  messages: [{ role: 'user' as const, content: { type: 'text', text: 'What is the capital?' } }],
  maxTokens: 10,
};

/** A server with something of everything, and what a test does to it. */
export function wholeServer() {
  const states = createRequestStateCodec<string>({ key: new Uint8Array(32).fill(7) });
  let listener: ResourceChangeListener | undefined;
  let aborted!: (reason: unknown) => void;
  const isAborted = new Promise<unknown>((resolve) => {
    aborted = resolve;
  });
  const tools = [
    defineTool({
      name: 'route',
      input: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
      output: ROUTE,
      run: ({ to }) => ({ structuredContent: { to } }),
    }),
    defineTool({
      name: 'media',
      run: () => ({
        content: [
          { type: 'image', data: 'AAAA', mimeType: 'image/png' },
          { type: 'resource', resource: { uri: 'a:text', text: 'Text.' } },
        ],
        links: [{ type: 'resource_link', uri: 'a:text', name: 'text' }],
      }),
    }),
    defineTool({
      name: 'fails',
      run() {
        throw new ToolError('It broke.');
      },
    }),
    defineTool({
      name: 'reports',
      run(_input, call) {
        call.log('debug', 'quiet');
        call.log('error', 'loud');
        for (const progress of [0, 1, 2]) call.progress(progress, 2);
        return 'Done.';
      },
    }),
    defineTool({
      name: 'waits',
      run: (_input, call) =>
        new Promise<never>(() => {
          call.progress(1);
          call.signal.addEventListener('abort', () => aborted(call.signal.reason));
        }),
    }),
    defineTool({
      name: 'elicits',
      async run(_input, call) {
        const { action, content } = await call.elicit('name', form('Who are you?', 'name'));
        if (action !== 'accept') return `You said ${action}.`;
        const sure = await call.elicit('sure', form('Are you sure?', 'sure'));
        return `${String(content?.['name'])} is ${String(sure.content?.['sure'])}.`;
      },
    }),
    defineTool({
      name: 'opens',
      run: (_input, call) =>
        call
          .elicit('address', { mode: 'url', message: 'Log in.', url: 'https://example.com/' })
          .then(({ action }) => action),
    }),
    defineTool({
      name: 'samples',
      async run(_input, call) {
        const { content, model } = await call.sample('capital', QUESTION);
        return `${model}: ${JSON.stringify(content)}`;
      },
    }),
    defineTool({
      name: 'lists_roots',
      run: async (_input, call) => JSON.stringify((await call.listRoots('roots')).roots),
    }),
    defineTool({
      name: 'asks_all',
      async run(_input, call: Call) {
        const { inputResponses, requestState } = call;
        const name = inputResponse(inputResponses, 'name');
        const roots = inputResponse(inputResponses, 'roots');
        if (name.kind === 'elicit' && roots.kind === 'roots') {
          return JSON.stringify([name.content, roots.roots, requestState]);
        }
        return inputRequired({
          inputRequests: {
            name: inputRequired.elicit(form('Who are you?', 'name')),
            roots: inputRequired.listRoots(),
          },
          requestState: await states.mint('a state', call),
        });
      },
    }),
  ];
  const prompts = [
    definePrompt({
      name: 'describe',
      arguments: {
        animal: {
          required: true,
          complete: (typed) => ['cat', 'camel', 'dog'].filter((one) => one.startsWith(typed)),
        },
      },
      run: ({ animal }) => ({
        messages: [{ role: 'user', content: { type: 'text', text: `Describe a ${animal}.` } }],
      }),
    }),
  ];
  const server = new McpServer(
    { name: 'alone', version: '1' },
    {
      instructions: 'Be kind.',
      tools,
      prompts,
      requestState: states,
      resources: {
        templates: [{ name: 'item', uriTemplate: 'a:items/{item}' }],
        list: (cursor) =>
          cursor === undefined
            ? { resources: [{ uri: 'a:text', name: 'text' }], nextCursor: 'more' }
            : { resources: [{ uri: 'a:blob', name: 'blob' }] },
        read(uri) {
          if (uri === 'a:text') return [{ uri, text: 'Text.' }];
          if (uri === 'a:blob') return [{ uri, blob: 'AAAA' }];
          throw new ResourceNotFoundError(uri);
        },
        complete: ({ value }) => ({ values: [`${value}1`], total: 1 }),
        listen(changes) {
          listener = changes;
          return () => (listener = undefined);
        },
      },
    },
  );
  return {
    server,
    isAborted,
    change: (uri: string, listChanged = false) => listener?.([{ uri, listChanged }]),
  };
}
