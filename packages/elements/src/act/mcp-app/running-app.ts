import type { CallToolResult, ClientTransport, McpClient, Tool } from '@inpage-mcp/client';
import {
  AppFrame,
  AppSession,
  appUriOf,
  acceptedPermissions,
  acceptedSources,
  framePermissions,
  framePolicy,
  readApp,
  sourcesOf,
  type AppDocument,
  type AppHooks,
} from '@inpage-mcp/client/app-host';
import type { AppProblem } from './events.js';

/** The maximum time for which an app may be silent at its start, in milliseconds. */
const START_MS = 15_000;

/** The maximum number of pages of the list of tools that are searched for the tool of the app. */
const MAX_TOOL_PAGES = 100;

/** The error of an app that is not shown, or is no longer shown. */
export class AppFailure extends Error {
  override readonly name = 'AppFailure';

  /** The kind of problem, for programs. */
  readonly problem: AppProblem;

  constructor(problem: AppProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}

/** An app and the call that it is shown for: enough to show it again without its server. */
export interface KeptApp {
  /** The server's description of itself. */
  server?: McpClient['serverInfo'];
  /** The tool that was called, as its server has listed it; absent for an app that was shown by its uri. */
  tool?: Tool | undefined;
  /** The document, and the declarations of its server about it. */
  app: AppDocument;
  /** The arguments of the call. */
  arguments?: Readonly<Record<string, unknown>> | undefined;
  /** The result of the call. */
  result?: CallToolResult | undefined;
}

/** Finds the app of a tool or an address, and reads it. */
export async function findApp(
  client: McpClient,
  { tool: name, uri: address }: { tool: string | undefined; uri: string | undefined },
  signal: AbortSignal,
): Promise<KeptApp> {
  const tool = name ? await findTool(client, name, signal) : undefined;
  if (name && !tool) throw new AppFailure('no-app', `The server has no tool ${name}.`);
  const uri = address ?? (tool && appUriOf(tool));
  if (!uri)
    throw new AppFailure(
      'no-app',
      `The tool ${name} has no app, or its server keeps it from clients that do not say they show apps.`,
    );
  try {
    return { server: client.serverInfo, tool, app: await readApp(client, uri, { signal }) };
  } catch (error) {
    const isNone = (error as { code?: unknown }).code === 'invalid-result';
    throw isNone ? new AppFailure('no-app', (error as Error).message, { cause: error }) : error;
  }
}

async function findTool(
  client: McpClient,
  name: string,
  signal: AbortSignal,
): Promise<Tool | undefined> {
  let cursor: string | undefined;
  for (let page = 0; page < MAX_TOOL_PAGES; page += 1) {
    const { tools, nextCursor } = await client.listTools({ cursor, signal });
    const tool = tools.find((one) => one.name === name);
    if (tool || nextCursor === undefined) return tool;
    cursor = nextCursor;
  }
  return undefined;
}

/** The sources that an app declares, each once: those from which it loads, and those to which it sends. */
export function declaredSources({ csp }: AppDocument): string[] {
  const { connectDomains, resourceDomains, frameDomains, baseUriDomains } = csp;
  return [
    ...new Set(
      [connectDomains, resourceDomains, frameDomains, baseUriDomains].flatMap((one) =>
        sourcesOf(one),
      ),
    ),
  ];
}

/** The parts of a running app. */
export interface RunningAppOptions {
  client: McpClient | undefined;
  app: AppDocument;
  title: string;
  sources: readonly string[];
  permissions: readonly string[];
  frameUrl: string | undefined;
  hasOwnOrigin: boolean;
  allowEval: boolean;
  context: Record<string, unknown>;
  hooks: AppHooks;
  /** Records the messages. */
  record: ((transport: ClientTransport) => ClientTransport) | undefined;
  onfailure(failure: AppFailure): void;
}

/** One app in its frame, from its start to its end. */
export class RunningApp {
  readonly session: AppSession;
  readonly #frame: AppFrame;
  readonly #onfailure: (failure: AppFailure) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * Prepares an app.
   *
   * @throws {AppFrameError} if the app would have the page's own origin.
   */
  constructor(options: RunningAppOptions) {
    const { client, app, title, sources, allowEval, hooks, context, record } = options;
    this.#onfailure = options.onfailure;
    const isAccepted = (source: string): boolean => sources.includes(source);
    const policy = framePolicy(app.csp, isAccepted, allowEval);
    const permissions = framePermissions(app.permissions, options.permissions);
    this.#frame = new AppFrame({
      url: options.frameUrl,
      hasOwnOrigin: options.hasOwnOrigin,
      html: app.html,
      policy,
      permissions,
      title,
      onnavigate: () => this.#fail('navigated', 'The app has left its document, so it was closed.'),
    });
    const { started } = hooks;
    this.session = new AppSession({
      client,
      transport: record ? record(this.#frame) : this.#frame,
      context,
      sandbox: {
        csp: acceptedSources(app.csp, isAccepted),
        permissions: acceptedPermissions(app.permissions, options.permissions),
      },
      hooks: {
        ...hooks,
        started: (info) => {
          clearTimeout(this.#timer);
          started?.(info);
        },
        flooded: () =>
          this.#fail('flooded', 'The app has sent too many messages, so it was closed.'),
      },
    });
  }

  /**
   * Shows the app, in an element of the document.
   *
   * @throws {AppFrameError} if the frame does not start.
   */
  async show(parent: Element): Promise<void> {
    parent.replaceChildren(this.#frame.element);
    try {
      await this.session.start();
    } catch (error) {
      this.session.end();
      throw error;
    }
    this.#timer = setTimeout(() => {
      this.#onfailure(new AppFailure('no-answer', 'The app does not answer.'));
    }, START_MS);
  }

  focus(): void {
    this.#frame.element.focus();
  }

  /** Lets the app save its data, for at most 2 s, and removes it. */
  async teardown(): Promise<void> {
    clearTimeout(this.#timer);
    await this.session.teardown();
  }

  /** Removes the app at once. */
  end(): void {
    clearTimeout(this.#timer);
    this.session.end();
  }

  #fail(problem: AppProblem, message: string): void {
    this.end();
    this.#onfailure(new AppFailure(problem, message));
  }
}
