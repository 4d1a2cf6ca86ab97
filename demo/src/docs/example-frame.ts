// The script of the frame that runs an edited example. It gives the example the packages by their names, and
// a runtime whose worker belongs to the page around it, because a frame without an origin has no database.
import * as elements from '@inpage-mcp/elements';
import '@inpage-mcp/elements/all';
import * as localize from '@inpage-mcp/elements/localize';
import * as wireRecorder from '@inpage-mcp/elements/wire-recorder';
import * as client from '@inpage-mcp/client';
import * as models from '@inpage-mcp/models';
import * as transport from '@inpage-mcp/transport';
import {
  type Answer,
  type FromFrame,
  type OpenedPort,
  READY,
  type Start,
  type Theme,
} from './example-messages.js';

/** The modules that an example may import, by their names there. */
const MODULES: Record<string, object> = {
  '@inpage-mcp/elements': elements,
  '@inpage-mcp/elements/all': {},
  '@inpage-mcp/elements/autoload': {},
  '@inpage-mcp/elements/classes': elements,
  '@inpage-mcp/elements/localize': localize,
  '@inpage-mcp/elements/wire-recorder': wireRecorder,
  '@inpage-mcp/client': client,
  '@inpage-mcp/models': models,
  '@inpage-mcp/transport': transport,
  '@inpage-mcp/runtime': { startRuntime },
  './inpage-mcp/inpage-mcp.js': { ...elements, ...client, ...transport, startRuntime },
};

/** The modules of elements that are already defined, together with all others. */
const DEFINED = /@inpage-mcp\/elements\/define\/mcp-[\w-]+/g;

/** The port to the page, after the page has passed it. */
let port: MessagePort;

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

const waiting = new Map<number, Waiting>();
let calls = 0;

function call(part: string, operation: string, args: unknown[]): Promise<unknown> {
  const id = (calls += 1);
  return new Promise((resolve, reject) => {
    send({ type: 'call', id, part, operation, args: args.map(withoutFunctions) });
    waiting.set(id, { resolve, reject });
  });
}

const send = (message: FromFrame): void => port.postMessage(message);

function settle({ id, value, error }: Answer): void {
  const pending = waiting.get(id);
  waiting.delete(id);
  if (error) pending?.reject(Object.assign(new Error(error.message), { code: error.code }));
  else pending?.resolve(value);
}

/** Options without members that cannot be sent, such as a signal. */
function withoutFunctions(argument: unknown): unknown {
  if (argument === null || typeof argument !== 'object') return argument;
  if (Object.getPrototypeOf(argument) !== Object.prototype) return argument;
  const entries = Object.entries(argument).filter(
    ([, value]) => typeof value !== 'function' && !(value instanceof AbortSignal),
  );
  return Object.fromEntries(entries);
}

const openPort = async (options: unknown): Promise<OpenedPort> =>
  (await call('', 'openPort', [options])) as OpenedPort;

/** The part of a runtime that an example may use. */
async function startRuntime(): Promise<object> {
  const connections = new WeakMap<object, number | undefined>();
  return {
    notes: operationsOf('notes'),
    files: operationsOf('files'),
    async openPort(options?: unknown) {
      const { port: opened, connection } = await openPort(options);
      connections.set(opened, connection);
      return opened;
    },
    async connect(options?: { access?: unknown }) {
      let number: number | undefined;
      const connected = await client.connectClient(async () => {
        const opened = await openPort({ access: options?.access });
        number = opened.connection;
        return new transport.MessagePortTransport(opened.port);
      });
      connections.set(connected, number);
      return connected;
    },
    connectionOf: (connection: object) => connections.get(connection),
  };
}

/** The operations of the runtime of the page. Any name is passed on. */
function operationsOf(part: string): object {
  return new Proxy(
    {},
    {
      // An `await` checks for `then`, which an object of operations must not have.
      get: (_, name) =>
        name === 'then' ? undefined : (...args: unknown[]) => call(part, String(name), args),
    },
  );
}

function start({ code }: Start): void {
  const found = Object.fromEntries([...code.matchAll(DEFINED)].map(([name]) => [name, {}]));
  const modules = { ...MODULES, ...found };
  Object.assign(globalThis, { exampleModules: modules });
  const imports = Object.entries(modules).map(([name, module]) => [name, addressOf(name, module)]);
  const map = document.createElement('script');
  map.type = 'importmap';
  map.textContent = JSON.stringify({ imports: Object.fromEntries(imports) });
  document.head.append(map);
  report();
  // Scripts of such a fragment run, as those of a page do.
  document.body.append(document.createRange().createContextualFragment(code));
}

/**
 * A module with the exports of another, at an address of this frame, because no other address may be imported
 * here.
 */
function addressOf(name: string, module: object): string {
  const source = `export const { ${Object.keys(module).join(', ')} } = exampleModules['${name}'];`;
  return URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
}

const print = (isError: boolean, text: string): void => send({ type: 'print', isError, text });

/** Sends the output and the errors of the example, which are shown next to it. */
function report(): void {
  console.log = (...values: unknown[]) => print(false, values.map(textOf).join(' '));
  console.error = (...values: unknown[]) => print(true, values.map(textOf).join(' '));
  addEventListener('error', ({ message }) => {
    if (message) print(true, message.replace(/^Uncaught /, ''));
  });
  addEventListener('unhandledrejection', ({ reason }) => print(true, textOf(reason)));
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    print(
      true,
      `The example may not load ${blockedURI || 'this'} (${effectiveDirective}): it has no network.`,
    );
  });
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

// This runs only in the sandbox, and only for a page of this site. As a page of its own, or in a frame of
// another site, the code that it is sent would have the data of this site.
if (self.origin === 'null' && parent !== self) {
  addEventListener('message', ({ source, origin, ports }) => {
    if (source !== parent || origin !== location.origin || !ports[0] || port) return;
    port = ports[0];
    port.onmessage = ({ data }: MessageEvent<Start | Theme | Answer>) => {
      if ('colorScheme' in data) document.documentElement.style.colorScheme = data.colorScheme;
      if ('code' in data) start(data);
      else if ('id' in data) settle(data);
    };
  });
  parent.postMessage(READY, location.origin);
}
