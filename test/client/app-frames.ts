import { expect } from '@esm-bundle/chai';
import type { connectToHost, ConnectToHostOptions, Host } from '@inpage-mcp/client/app';
import schema from '@modelcontextprotocol/ext-apps/schema.json';
import { ClientNotificationSchema, ClientRequestSchema } from '@modelcontextprotocol/core';
import { JSONRPCMessageSchema } from '@modelcontextprotocol/core';
import { z } from 'zod';
import { expectSpecifiedResult, expectStrictly } from '../support/specified-messages.js';
import { soon } from '../support/within.js';

/** A message of JSON-RPC. */
export interface Message {
  jsonrpc?: string;
  id?: number;
  method?: string;
  params?: { [name: string]: unknown };
  result?: { [name: string]: unknown };
  error?: { code: number; message: string };
}

type Definition = Exclude<Parameters<typeof z.fromJSONSchema>[0], boolean>;

/** The definitions of the extension's own messages, by method. */
const definitions = new Map<unknown, Definition>(
  (Object.values(schema.$defs) as Definition[]).map((definition) => [
    (definition.properties?.['method'] as Definition | undefined)?.const,
    definition,
  ]),
);

/** Holds a message of an app to the schemas of the extension and of MCP. */
function expectSpecified(message: Message): void {
  expectStrictly(JSONRPCMessageSchema, message);
  const { method, params } = message;
  if (method === undefined) return;
  const sent = params === undefined ? { method } : { method, params };
  const definition = definitions.get(method);
  if (definition) expectStrictly(z.fromJSONSchema(definition), sent);
  // Not in the list of what a client of MCP sends.
  else if (method === 'notifications/message') expect(params).to.have.all.keys('level', 'data');
  else
    expectStrictly(message.id === undefined ? ClientNotificationSchema : ClientRequestSchema, sent);
}

/** A frame with a document that can connect to this page. */
export class AppFrame {
  readonly element = document.createElement('iframe');
  readonly received: Message[] = [];
  readonly #looks = new Set<() => void>();

  constructor() {
    addEventListener('message', this.#receive);
  }

  /** Connects the app with the code in the frame. */
  connect(options?: ConnectToHostOptions): Promise<Host> {
    const view = this.window as Window & { connectToHost: typeof connectToHost };
    return view.connectToHost(options);
  }

  get window(): Window {
    return this.element.contentWindow!;
  }

  /** Resolves with the message of this number with this method, counted from 1, once it is there. */
  async message(method: string, number = 1): Promise<Message> {
    const find = (): Message | undefined => this.messages(method)[number - 1];
    const arrived = new Promise<void>((resolve) => {
      const look = (): void => {
        if (find()) resolve();
      };
      this.#looks.add(look);
      look();
    });
    await soon(`message ${number} of ${method}`, arrived);
    return find()!;
  }

  messages(method: string): Message[] {
    return this.received.filter((message) => message.method === method);
  }

  remove(): void {
    removeEventListener('message', this.#receive);
    this.element.remove();
    for (const message of this.received) expectSpecified(message);
  }

  readonly #receive = ({ source, data }: MessageEvent<Message>): void => {
    if (source !== this.window) return;
    this.received.push(data);
    for (const look of this.#looks) look();
  };
}

const opened: AppFrame[] = [];

/** @param address Default: of the fixture, on the origin of the tests. */
export async function openApp(address = '/test/fixtures/app-view.html'): Promise<AppFrame> {
  const app = new AppFrame();
  opened.push(app);
  app.element.src = address;
  app.element.style.cssText = 'width: 600px; height: 400px; border: 0';
  document.body.append(app.element);
  await new Promise((resolve) => app.element.addEventListener('load', resolve, { once: true }));
  return app;
}

/** For `afterEach`. Holds all that the apps have sent to the schemas. */
export function removeApps(): void {
  for (const app of opened.splice(0)) app.remove();
}

/** The answer to a request: `{ result }` or `{ error }`; `undefined` for none. */
export type HostAnswer = (params: { [name: string]: unknown }) => object | undefined;

/** A host that does what a test says. */
export class ScriptedHost {
  readonly app: AppFrame;
  /** By method. Others are rejected, as by the official host. */
  readonly answers: { [method: string]: HostAnswer };
  #lastId = 0;

  constructor(app: AppFrame, initialized: object = {}, answers: ScriptedHost['answers'] = {}) {
    this.app = app;
    const answer = {
      protocolVersion: '2026-01-26',
      hostInfo: { name: 'scripted', version: '1' },
      hostCapabilities: {},
      hostContext: {},
      ...initialized,
    };
    this.answers = { 'ui/initialize': () => ({ result: answer }), ...answers };
    addEventListener('message', ({ source, data }: MessageEvent<Message>) => {
      if (source !== app.window || data.method === undefined || data.id === undefined) return;
      const error = { code: -32601, message: 'Method not found' };
      const handle = this.answers[data.method] ?? (() => ({ error }));
      const reply = handle(data.params ?? {});
      if (reply) this.send({ jsonrpc: '2.0', id: data.id, ...reply });
    });
  }

  send(message: unknown): void {
    this.app.window.postMessage(message, '*');
  }

  notify(method: string, params?: unknown): void {
    this.send({ jsonrpc: '2.0', method, ...(params !== undefined && { params }) });
  }

  /** Resolves with the answer of the app. */
  async request(method: string, params: object = {}): Promise<Message> {
    const id = 1_000 + (this.#lastId += 1);
    this.send({ jsonrpc: '2.0', id, method, params });
    const find = (): Message | undefined =>
      this.app.received.find((message) => message.id === id && message.method === undefined);
    while (!find()) await new Promise((resolve) => setTimeout(resolve));
    const { result } = find()!;
    if (result) expectSpecifiedResult(method, result);
    return find()!;
  }
}

/** Resolves with the next event of this type. */
export async function nextEvent(target: EventTarget, type: string): Promise<Event> {
  const fired = new Promise<Event>((resolve) =>
    target.addEventListener(type, resolve, { once: true }),
  );
  return await soon(`the event ${type}`, fired);
}
