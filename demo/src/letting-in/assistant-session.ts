import type { ConsentQuestion } from '@inpage-mcp/elements';
import type { Access, Runtime, ServedFrame } from '@inpage-mcp/runtime';
import { destinationOf, type ModelSettings, titleOf } from '../model/model-settings.js';
import { accessOf, askForGrant, type Grant, NO_ACCESS } from './grants.js';
import { ModelLink } from './model-link.js';

/**
 * The state of the assistant. `absent`: it does not exist. `asking`: its frame exists, and the user is asked.
 * `admitted`: it has the access of the grant. `revoked`: its frame still exists, but has no access.
 */
export type AssistantState = 'absent' | 'asking' | 'admitted' | 'revoked';

/** The tools by which an assistant changes data. They cannot destroy any existing data. */
const TOOLS = ['append_to_note'];

/** The tools of the script. Its app may not call any tool that writes, so it shows notes only for reading. */
const TOOLS_OF_SCRIPT = [...TOOLS, 'show_notes'];

/**
 * The tools of a model, which can only call tools. It reads by these, and they give no more access than the
 * grant does.
 */
const TOOLS_OF_MODEL = [
  ...TOOLS,
  'list_resources',
  'read_resource',
  'search_notes',
  'search_folder',
];

/** The assistant in its frame, from the question to the user until its end. Fires `change`. */
export class AssistantSession extends EventTarget {
  readonly #runtime: Runtime;
  readonly #names: Map<number, string>;
  #model: ModelSettings | undefined;
  #link: ModelLink | undefined;
  #state: AssistantState = 'absent';
  #grant: Grant | undefined;
  #frame: HTMLIFrameElement | undefined;
  #stop: (() => void) | undefined;
  #connections = new Set<ServedFrame>();
  #admission = new AbortController();

  /** @param names The names of the connections, by their numbers in the activity log. */
  constructor(runtime: Runtime, names: Map<number, string>) {
    super();
    this.#runtime = runtime;
    this.#names = names;
  }

  /** The model that answers; absent for the scripted assistant. */
  get model(): ModelSettings | undefined {
    return this.#model;
  }

  /** The name of the assistant. */
  get name(): string {
    return this.#model ? titleOf(this.#model) : 'Scripted assistant';
  }

  get state(): AssistantState {
    return this.#state;
  }

  /** The grant of the user; absent without one. */
  get grant(): Grant | undefined {
    return this.#grant;
  }

  /** The window of the assistant in the page; absent without a frame. */
  get frame(): HTMLIFrameElement | undefined {
    return this.#frame;
  }

  /** Whether this is the number of one of its connections in the activity log. */
  has(connection: number): boolean {
    return [...this.#connections].some((frame) => frame.connection === connection);
  }

  /** Closes the current assistant. The next one is this model, or the script without one. */
  choose(model: ModelSettings | undefined): void {
    this.dismiss();
    this.#model = model;
    this.#set('absent');
  }

  /**
   * Opens the frame, if it does not exist, and asks the user for its access, or for another access if the
   * frame exists. A no closes a new frame. Does nothing while the user is asked. Rejects if the question or
   * the answer fails; what the assistant had before stays.
   */
  async letIn(): Promise<void> {
    if (this.#state === 'asking') return;
    const before = this.#state;
    this.#frame ??= this.#createFrame();
    this.#set('asking');
    this.#admission = new AbortController();
    const { signal } = this.#admission;
    const giveUp = (): void => {
      if (before === 'absent') this.dismiss();
      else this.#set(before);
    };
    try {
      const grant = await askForGrant(this.#runtime, this.#question(), signal, this.#grant);
      if (signal.aborted) return;
      if (grant) await this.#admit(grant);
      else giveUp();
    } catch (error) {
      if (signal.aborted) return;
      giveUp();
      throw error;
    }
  }

  /** Withdraws a folder of the disk from it, if it has access to the folder. */
  async takeFolder(uri: string): Promise<void> {
    const { folders } = this.#grant ?? {};
    if (!this.#grant || !folders?.includes(uri)) return;
    this.#grant = { ...this.#grant, folders: folders.filter((one) => one !== uri) };
    await this.#applyAccess();
    this.#set(this.#state);
  }

  /** Withdraws all access from it, at once; its frame stays, and sees nothing. */
  async revoke(): Promise<void> {
    this.#grant = undefined;
    await this.#applyAccess();
    this.#set('revoked');
  }

  /** Closes its connection and its frame. */
  dismiss(): void {
    this.#admission.abort();
    this.#stop?.();
    this.#link?.close();
    this.#stop = this.#link = this.#grant = this.#frame = undefined;
    this.#set('absent');
  }

  #question(): ConsentQuestion {
    const destination = this.#model
      ? `What it reads, and what you ask it, will be sent to ${destinationOf(this.#model)}. `
      : '';
    return {
      origin: 'null',
      requester: this.name,
      texts: { title: 'Let this assistant in?', yes: 'Let it in', no: 'Not now' },
      message:
        `${destination}It wants to list and read what you choose here, and to add to notes. It is ` +
        'in a frame of its own, talks to the server in this tab over MCP, and sees nothing else. ' +
        'You can end this at any time.',
    };
  }

  async #admit(grant: Grant): Promise<void> {
    const held = this.#grant;
    this.#grant = grant;
    try {
      await this.#applyAccess();
      // A frame that has asked before gets its answer now.
      this.#stop ??= await this.#runtime.serveFrames({
        allowedOrigins: [],
        sandboxedFrames: [this.#frame!],
        name: this.name,
        access: () => this.#access,
        onconnect: (served) => this.#onConnect(served),
      });
    } catch (error) {
      this.#grant = held;
      await this.#applyAccess();
      throw error;
    }
    this.#link?.admit();
    this.#set('admitted');
  }

  get #access(): Access {
    if (!this.#grant) return NO_ACCESS;
    return accessOf(this.#grant, this.#model ? TOOLS_OF_MODEL : TOOLS_OF_SCRIPT, 'none');
  }

  async #applyAccess(): Promise<void> {
    await Promise.all([...this.#connections].map((frame) => frame.setAccess(this.#access)));
  }

  #onConnect(served: ServedFrame): void {
    this.#connections.add(served);
    this.#names.set(served.connection, this.name);
    void served.closed.then(() => this.#connections.delete(served));
  }

  #createFrame(): HTMLIFrameElement {
    const frame = createAssistantFrame(this.name, this.#model !== undefined);
    if (this.#model) this.#link = new ModelLink(frame, this.#model);
    return frame;
  }

  #set(state: AssistantState): void {
    this.#state = state;
    this.dispatchEvent(new Event('change'));
  }
}

/** The features that the document of a model may use, if the browser knows them. They reach this machine. */
const MODEL_FEATURES = ['local-network-access', 'loopback-network', 'local-network'];

/** The names of features that a page may allow a frame; only Chromium has both. */
interface FeaturePolicy {
  features(): string[];
}

/**
 * The frame of an assistant, before it is in the page. It has no origin, and can reach nothing of the page
 * except the port that it gets. The frame of a model may reach an endpoint on this machine.
 */
function createAssistantFrame(title: string, isModel: boolean): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.title = title;
  frame.sandbox.add('allow-scripts');
  if (isModel) {
    // The browser would report features that it does not know.
    const { featurePolicy } = document as { featurePolicy?: FeaturePolicy };
    const known = featurePolicy?.features() ?? [];
    frame.allow = MODEL_FEATURES.filter((feature) => known.includes(feature)).join('; ');
  }
  const url = new URL(`./assistant/${isModel ? 'model' : 'index'}.html`, location.href);
  url.searchParams.set('parent', location.origin);
  const { theme } = document.documentElement.dataset;
  if (theme) url.searchParams.set('theme', theme);
  frame.src = url.href;
  return frame;
}
