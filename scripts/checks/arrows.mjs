// The allowed dependencies: the arrows of ARCHITECTURE.md as data, each with its reason, and the rooms of
// each package. scripts/checks/check-arrows.mjs compares sources, package.json and tsconfig.json with them.

/**
 * The reason why a package imports another one. With `isTypesOnly`, it imports only types, which do not exist
 * at run time.
 * @typedef {{ why: string, isTypesOnly?: boolean, valuesIn?: string[] }} Arrow
 *
 * @typedef {object} PackageRule
 * @property {string} knows completes "<package> …", for the message of a refused import
 * @property {Record<string, Arrow>} mayImport by package name; `valuesIn` names the source files
 *   that may import values although the others may not
 * @property {boolean} [runsInNode] whether it may import the modules of Node itself. Default: it may not
 * @property {Record<string, string>} [rooms] the folders of the sources, with what each holds. A room
 *   imports from the rooms before it; files outside all rooms join them, and no room imports those. Rooms
 *   inside a room (`room/inner`) come before it; a folder may consist of inner rooms alone
 * @property {{ sources: string[], folder: string, why: string }} [frozen] files, or folders that end in
 *   `/`, whose code never changes: of their own package they import values only from the folder
 * @property {{ words: string[], butNot: RegExp, why: string }} [neverSays] words that the sources
 *   do not contain, in code or comments
 */

/** @type {Record<string, PackageRule>} */
export const rules = {
  encoding: {
    knows: 'must know bytes and texts only: store, server, client and elements share it',
    mayImport: {},
  },

  transport: {
    knows:
      'must know nothing but messages and ports: whatever speaks MCP over a port, an SDK included, ' +
      'can then use it at no cost',
    mayImport: {},
    rooms: {
      port: 'MCP messages on a MessagePort',
      handover: 'the messages with which windows hand a port over',
      liveness: 'how each side notices that the other has gone',
      connect: 'asks a window for a port',
      accept: 'gives ports to frames that ask',
    },
  },

  protocol: {
    knows:
      'must speak MCP on a port and nothing else: no note, no database, no worker; all it needs ' +
      'is a port',
    mayImport: {
      '@inpage-mcp/transport': { why: 'what travels on a port' },
    },
    rooms: {
      wire: 'names, types, shapes and errors of the protocol',
      schemas: 'JSON Schema and Standard Schema',
      fairness: 'turns, limits and shares of those who send',
      calls: 'a request from its arrival until its answer',
      subscriptions: 'who is notified of what',
      features: 'the methods: tools, prompts, resources, completion',
      inbound: 'the way of a message in',
      outbound: 'the way of an answer out',
      session: 'a connection, and the server that has them',
    },
  },

  store: {
    knows:
      'must not know MCP: notes and files outlive any protocol, and their rules are tested ' +
      'without one',
    mayImport: {
      '@inpage-mcp/encoding': { why: 'imported notes are texts' },
      idb: { why: 'it keeps everything in IndexedDB' },
      ulid: { why: 'ids sort by time' },
      mime: { why: 'a media type from the name' },
      'magic-bytes.js': { why: 'a media type from the bytes' },
    },
    frozen: {
      sources: ['schema/schema.ts', 'schema/migrations/'],
      folder: 'schema/migrations/',
      why: 'a migration leaves the same in a database whenever it runs: copy what it needs',
    },
    rooms: {
      errors: 'how the store fails',
      schema: 'records, object stores, migrations, limits of what is stored',
      database: 'the connection to IndexedDB and its transactions',
      records: 'reading records in pages and in safety',
      history: 'what clients have changed, and what undoes it',
      changes: 'each commit: its log, announcements to other tabs, idempotency keys',
      search: 'the index of words',
      notes: 'the notes of the user',
      files: 'the files of the user',
      undo: 'undoes what clients have changed',
      archive: 'export and import as zip',
      sync: 'what the engine of a sync with other devices reads and writes',
    },
    neverSays: {
      words: ['mcp', 'resource', 'resources', 'uri', 'uris'],
      // The default name of the database and of the channel between tabs.
      butNot: /@?inpage-mcp/g,
      why: 'the server alone maps notes and files to MCP',
    },
  },

  sync: {
    knows:
      'runs in a worker of its own beside the one that serves MCP: it knows the store and servers of ' +
      'others, and no clients; of the page only page.ts',
    mayImport: {
      '@inpage-mcp/encoding': { why: 'records are base64 in JSON' },
      '@inpage-mcp/store': { why: 'it opens the same database' },
      comlink: { why: 'between the page and the worker of the sync' },
      diff: { why: 'merges what two devices have changed' },
      '@nats-io/nats-core': {
        isTypesOnly: true,
        valuesIn: ['remotes/nats.ts', 'remotes/nats-stream.ts'],
        why: 'the client of the NATS adapter, which is loaded only where it is used',
      },
      '@nats-io/jetstream': {
        isTypesOnly: true,
        valuesIn: ['remotes/nats.ts', 'remotes/nats-stream.ts'],
        why: 'the same',
      },
    },
    rooms: {
      remotes: 'what a server must be able to do, and the adapters of two',
      keys: 'keys, names and records as the server sees them',
      merge: 'what two devices have changed becomes one',
      engine: 'rounds that take, merge and send',
      service: 'the sync of a device, in whichever tab works',
    },
  },

  server: {
    knows:
      'runs in the worker and maps the store to MCP: it must not know clients, the page that ' +
      'started it, or anything on the screen',
    mayImport: {
      '@inpage-mcp/transport': { why: 'it serves ports' },
      '@inpage-mcp/store': { why: 'it maps notes and files to resources' },
      '@inpage-mcp/protocol': { why: 'it is an MCP server' },
      '@inpage-mcp/encoding': { why: 'texts are sent as such' },
      comlink: { why: 'the control plane of the page that made the worker' },
    },
    rooms: {
      activity: 'what connections have asked for',
      resources: 'notes, files and what the page provides, as resources',
      access: 'who may read, write and call what',
      tools: 'the tools',
      prompts: 'the prompts',
      disk: 'folders of the disk, loaded by the worker with the first of them',
      serving: 'the server, with one context for each connection',
      control: 'what the page that made the worker may do',
    },
  },

  client: {
    knows:
      'must stay small and know the protocol only: a page pays for its every import, and it works ' +
      'over any transport',
    mayImport: {
      '@inpage-mcp/protocol': { isTypesOnly: true, why: 'what a server and a client say alike' },
      '@inpage-mcp/transport': { isTypesOnly: true, why: 'the shape of a message and a transport' },
      '@inpage-mcp/encoding': { why: 'bytes come as base64' },
    },
    rooms: {
      api: 'types, options and errors',
      results: 'checks of what a server has answered',
      connection: 'requests and their answers, from one transport to the next',
      subscriptions: 'watches, and the streams behind them',
      requests: 'requests that ask the user on their way',
      interface: 'what a client can do',
      sdk: 'a client of the official SDK as a connection',
      apps: 'what servers say of MCP Apps',
      app: 'the host of an MCP App as a connection',
      'app-host': 'an MCP App that the page shows: its frame, and what it may do',
    },
  },

  models: {
    knows:
      'must know what a client answers and what the APIs of models take: it works with any client, and ' +
      'sends nothing to a model itself',
    mayImport: {
      '@inpage-mcp/client': { why: 'contents, errors and the pages of a list' },
      '@inpage-mcp/encoding': { why: 'a model gets texts' },
    },
    rooms: {
      context: 'resources as the content of a message to a model',
      tools: 'tools and their answers in the forms of the APIs of models',
      'web-mcp': 'tools and resources for the agent of the browser',
    },
  },

  runtime: {
    knows:
      'is the page’s handle on the worker: server code in the page would be paid for twice, and ' +
      'what is on the screen is not its business',
    mayImport: {
      '@inpage-mcp/transport': { why: 'it hands out ports' },
      '@inpage-mcp/client': { why: 'connect() makes a client' },
      '@inpage-mcp/server': {
        isTypesOnly: true,
        valuesIn: ['disk.ts', 'worker.ts', 'testing.ts', 'worker/outdated.ts'],
        why: 'the control plane’s types, and its build; only the worker, and what stands for it in a test, is a server',
      },
      '@inpage-mcp/sync': { why: 'the page’s handle on the worker of the sync' },
      comlink: { why: 'the control plane' },
      'js-yaml': { why: 'reads front matter, when notes are imported' },
      ignore: { why: 'matches .gitignore patterns, when a folder asks for it' },
    },
    rooms: {
      worker: 'one worker, from its start to its end',
      supervision: 'a worker that takes the place of one that died',
      data: 'notes, files, storage and what the page provides',
      access: 'what clients and frames may do',
      desktop: 'programs on this computer, by the bridge',
    },
  },

  elements: {
    knows:
      'must see only the interface of a client, and no worker: they then show the resources of ' +
      'any MCP server',
    mayImport: {
      '@inpage-mcp/client': {
        isTypesOnly: true,
        valuesIn: ['act/mcp-app/running-app.ts'],
        why: 'the interface that they are given; and the host of an app, which only its element has',
      },
      '@inpage-mcp/encoding': { why: 'they show texts' },
      lit: { why: 'the elements are made with it' },
      'file-selector': { why: 'the files of a drop, folders too' },
      '@lit/localize': { why: 'texts in the language of the page' },
      'markdown-it': { why: 'reads Markdown, when there is some' },
      '@types/react': { isTypesOnly: true, why: 'optional: the types of templates for React' },
      preact: { isTypesOnly: true, why: 'optional: the types of templates for Preact' },
      'solid-js': { isTypesOnly: true, why: 'optional: the types of templates for Solid' },
      svelte: { isTypesOnly: true, why: 'optional: the types of templates for Svelte' },
      vue: { isTypesOnly: true, why: 'optional: the types of templates for Vue' },
      '@codemirror/legacy-modes': {
        why: 'the languages of code, each when needed',
      },
      '@codemirror/streamparser': { why: 'the reader of code, line by line' },
      diff: { why: 'finds the words that an update has changed' },
      uqr: { why: 'the picture of a code, when one is shown' },
    },
    rooms: {
      'base/text': 'strings, numbers and dates for people',
      locales: 'translations of the texts',
      'base/look': 'colours, icons and messages',
      'base/element': 'what all elements share: the client and its state',
      'base/rows': 'draws the rows in sight of very many',
      reading: 'reads of the server, repeated after changes',
      'fields/schema': 'what a JSON Schema says, and what breaks it',
      'fields/form': 'what the user has entered for a JSON Schema, and how it is drawn',
      'fields/options': 'options to choose from, and fields that suggest values',
      'fields/catalog': 'a list of the server, with a form for each entry',
      'show/blocks': 'content blocks of results and messages',
      'show/code': 'code in colours',
      'show/renderers': 'contents of one media type each, loaded on demand',
      'provide/mcp-provider': 'provides a client',
      'watch/mcp-connection': 'the state of the connection',
      'show/mcp-resource-list/rows': 'resources as rows, and the row that the user is at',
      'show/mcp-resource-list/tools':
        'search, sort, filters, tree and selection; loaded when needed',
      'show/mcp-resource-list': 'the resources of a server',
      'show/mcp-resource-view/content': 'what all kinds of contents share',
      'show/mcp-resource-view/markdown': 'Markdown, loaded when needed',
      'show/mcp-resource-view/kinds': 'texts, files and renderers, one after the other',
      'show/mcp-resource-view/changes': 'what an update has changed, loaded when needed',
      'show/mcp-resource-view/header': 'title, facts and actions, loaded when needed',
      'show/mcp-resource-view': 'one resource',
      'choose/mcp-resource-picker': 'chooses resources for a model',
      'choose/mcp-template-form': 'the variables of a resource template',
      'choose/mcp-prompt-menu': 'prompts and their arguments',
      'act/mcp-tool-form': 'calls a tool',
      'act/mcp-consent': 'asks the user',
      'watch/mcp-activity': 'who did what',
      'watch/mcp-wire': 'the messages of a connection',
      'watch/mcp-sync': 'the sync with other devices',
      'act/mcp-app': 'the app of a tool, in a sandboxed frame',
      'act/mcp-file-drop': 'files from the user',
      'act/mcp-note-editor': 'edits a note',
      'act/mcp-storage': 'all of the data: protects, exports, imports, deletes',
      define: 'defines one element each',
      autoload: 'defines elements when the document first contains them',
    },
  },

  bridge: {
    knows:
      'runs in Node, and passes messages between programs and a page: it must not know what is in ' +
      'them, nor anything that runs in the page',
    runsInNode: true,
    mayImport: {
      '@inpage-mcp/transport': { why: 'the shape of a message' },
      '@inpage-mcp/protocol': { why: 'the server that answers while no page does' },
      '@modelcontextprotocol/server': { why: 'the framing of HTTP' },
      'jsonc-parser': { why: 'changes a configuration and keeps its comments' },
      ws: { why: 'WebSockets, which Node 20 has no server for' },
      '@types/ws': { isTypesOnly: true, why: 'its types' },
    },
    rooms: {
      proof: 'keys, codes and proofs, without any input or output',
      state: 'the file with the keys',
      wire: 'frames and messages, limits, and the interface between sessions and pages',
      waiting: 'the server that answers while no page does',
      session: 'a host, from one server to the next',
      hub: 'the process that holds the port: pages, pairing, other processes',
      joining: 'becomes the hub, or goes through it',
      hosts: 'stdio and HTTP',
      install: 'the configurations of programs',
      command: 'the command line',
    },
  },

  apps: {
    knows:
      'makes one HTML file of an app, in Node: it must not know what the app does, and its own app must ' +
      'know a client and elements only, because every host is another page; and adds that app to a runtime',
    runsInNode: true,
    mayImport: {
      '@inpage-mcp/protocol': { isTypesOnly: true, why: 'what a tool answers' },
      '@inpage-mcp/runtime': { isTypesOnly: true, why: 'its app is added to a runtime' },
      '@inpage-mcp/server': { isTypesOnly: true, why: 'what a script in the worker gets' },
      '@inpage-mcp/client': { why: 'its own app connects to a host' },
      '@inpage-mcp/elements': { why: 'its own app consists of them' },
      esbuild: { why: 'bundles' },
      lit: { why: 'draws what is around the elements' },
    },
    rooms: { notes: 'the app for notes, which runs in a browser' },
  },

  cdn: {
    knows: 'puts what a page needs behind one script tag, and has no code of its own',
    mayImport: {
      '@inpage-mcp/elements': { why: 'the file has all elements' },
      '@inpage-mcp/runtime': { why: 'the file starts the worker' },
      '@inpage-mcp/client': { why: 'for servers elsewhere' },
      '@inpage-mcp/transport': { why: 'for frames and other clients' },
    },
  },
};

/**
 * The rooms of the demo, as those of a package: each imports from the rooms before it.
 * @type {Record<string, string>}
 */
export const demoRooms = {
  browser: 'what the browser remembers, locks and trusts',
  ui: 'icons, styles, notices, and words that all share',
  addresses: 'an address of the page and what is open',
  offline: 'the service worker, and what other apps share',
  data: 'all of the user’s data: deletion, encryption, sync, samples',
  assistant: 'the page in the assistant’s frame',
  model: 'the other page for that frame, with a real model',
  'letting-in': 'who is let in, and what was granted',
  session: 'the server, a client, and all that stands on them',
  panes: 'the list, what is open, and the pane at the side',
  app: 'the page around the panes',
  docs: 'the scripts of the documentation',
};
