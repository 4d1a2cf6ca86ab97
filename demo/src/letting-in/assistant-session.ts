import type { WireRecorder } from '@inpage-mcp/elements/wire-recorder';
import type { Access, Runtime, ServedFrame } from '@inpage-mcp/runtime';
import { type ModelSettings, titleOf } from '../model/model-settings.js';
import { consentDialog } from './ask-consent.js';
import type { Connections } from '../session/connections.js';
import {
  accessOf,
  admissionQuestion,
  type Choice,
  type Grant,
  grantIn,
  NO_ACCESS,
} from './grants.js';
import { ModelLink } from './model/model-link.js';

/**
 * `absent`: there is none. `asking`: its frame is there, and the user is asked. `admitted`: it may do
 * what the grant says. `revoked`: it is still there, and may do nothing.
 */
export type AssistantState = 'absent' | 'asking' | 'admitted' | 'revoked';

/** Where an assistant is, and which origin its page has. */
export interface AssistantPlace {
  readonly url: string;
  /** `null` for a sandboxed frame, where no other host serves it. */
  readonly origin: string;
}

/** A real model is always a document of the demo: it is given the key of the user. */
const MODEL_PLACE: AssistantPlace = { url: './assistant/model.html', origin: 'null' };

/** The assistant in its frame: from the question to the user to the end. Fires `change`. */
export class AssistantSession extends EventTarget {
  readonly #scriptedPlace: AssistantPlace;
  readonly #runtime: Runtime;
  readonly #wire: WireRecorder;
  readonly #known: Connections;
  #model: ModelSettings | undefined;
  #link: ModelLink | undefined;
  #state: AssistantState = 'absent';
  #grant: Grant | undefined;
  #frame: HTMLIFrameElement | undefined;
  #stop: (() => void) | undefined;
  #connections = new Set<ServedFrame>();
  #admission = new AbortController();

  /**
   * @param session `wire` shows the messages of a model, as its frame reports them.
   * @param scriptedPlace Where the scripted assistant is.
   */
  constructor(
    {
      runtime,
      connections,
      wire,
    }: { runtime: Runtime; connections: Connections; wire: WireRecorder },
    scriptedPlace: AssistantPlace,
  ) {
    super();
    this.#known = connections;
    this.#runtime = runtime;
    this.#scriptedPlace = scriptedPlace;
    this.#wire = wire;
  }

  get place(): AssistantPlace {
    return this.#model ? MODEL_PLACE : this.#scriptedPlace;
  }

  /** The model that answers; absent for the scripted assistant. */
  get model(): ModelSettings | undefined {
    return this.#model;
  }

  /** What it is called. */
  get name(): string {
    return this.#model ? titleOf(this.#model) : 'Scripted assistant';
  }

  /** Sends away who is there; the next one is this model, or the script without one. */
  choose(model: ModelSettings | undefined): void {
    this.dismiss();
    this.#model = model;
    this.dispatchEvent(new Event('change'));
  }

  get state(): AssistantState {
    return this.#state;
  }

  /** What the user has allowed; absent while nothing is. */
  get grant(): Grant | undefined {
    return this.#grant;
  }

  /** Its window in the page; absent where there is none. */
  get frame(): HTMLIFrameElement | undefined {
    return this.#frame;
  }

  /** Whether this is the number of one of its connections in the activity log. */
  has(connection: number): boolean {
    return [...this.#connections].some((frame) => frame.connection === connection);
  }

  /**
   * Opens the frame, if there is none, and asks the user what it may do; a no closes it. Does nothing
   * while the user is asked.
   *
   * @param choices The notes that the user may choose.
   */
  async letIn(choices: readonly Choice[]): Promise<void> {
    if (this.#state === 'asking') return;
    const before = this.#state;
    this.#frame ??= this.#createFrame();
    this.#set('asking');
    this.#admission = new AbortController();
    const { signal } = this.#admission;
    const dialog = await consentDialog();
    const question = admissionQuestion(this.place.origin, choices, this.#model);
    const answer = await dialog.ask(question, { signal });
    if (signal.aborted) return;
    if (answer.decision === 'once') await this.#admit(grantIn(answer));
    else if (before === 'revoked') this.#set('revoked');
    else this.dismiss();
  }

  /** Takes everything from it, at once; its frame stays, and sees nothing. */
  async revoke(): Promise<void> {
    this.#grant = undefined;
    const taking = [...this.#connections].map((frame) => frame.setAccess(NO_ACCESS));
    await Promise.all(taking);
    this.#set('revoked');
  }

  /** Closes its connection and its frame. */
  dismiss(): void {
    this.#admission.abort();
    this.#stop?.();
    this.#stop = undefined;
    this.#grant = undefined;
    this.#frame = undefined;
    this.#link?.close();
    this.#link = undefined;
    this.#set('absent');
  }

  async #admit(grant: Grant): Promise<void> {
    this.#grant = grant;
    const frame = this.#frame!;
    const isSandboxed = this.place.origin === 'null';
    const granting = [...this.#connections].map((one) => one.setAccess(this.#access));
    await Promise.all(granting);
    // A frame that has asked before is answered now.
    this.#stop ??= await this.#runtime.serveFrames({
      allowedOrigins: isSandboxed ? [] : [this.place.origin],
      sandboxedFrames: isSandboxed ? [frame] : [],
      access: () => this.#access,
      onconnect: (served) => this.#onConnect(served),
    });
    this.#link?.admit();
    this.#set('admitted');
  }

  get #access(): Access {
    return this.#grant ? accessOf(this.#grant, this.#model !== undefined) : NO_ACCESS;
  }

  #onConnect(served: ServedFrame): void {
    this.#connections.add(served);
    this.#known.add(served.connection, this.name);
    void served.closed.then(() => {
      this.#connections.delete(served);
      this.dispatchEvent(new Event('change'));
    });
    this.dispatchEvent(new Event('change'));
  }

  #createFrame(): HTMLIFrameElement {
    const isSandboxed = this.place.origin === 'null';
    const options = { isSandboxed, isModel: this.#model !== undefined };
    const frame = createAssistantFrame(this.place.url, this.name, options);
    if (this.#model) this.#link = new ModelLink(frame, this.#model, this.#wire);
    return frame;
  }

  #set(state: AssistantState): void {
    this.#state = state;
    this.dispatchEvent(new Event('change'));
  }
}

/** What the document of a model may use, where the browser knows it: its own model, and this machine. */
const MODEL_FEATURES = [
  'language-model',
  'local-network-access',
  'loopback-network',
  'local-network',
];

/** The names of what a page may allow a frame; only Chromium has both. */
interface FeaturePolicy {
  features(): string[];
}

/**
 * The frame of an assistant, before it is in the page.
 *
 * @param url Its document.
 * @param options `isSandboxed`: it has no origin then, and can reach nothing of the page but the port
 * that it is given. `isModel`: it may use a model of the browser, and one on this machine.
 */
function createAssistantFrame(
  url: string,
  title: string,
  { isSandboxed, isModel }: { isSandboxed: boolean; isModel: boolean },
): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.title = title;
  if (isSandboxed) frame.sandbox.add('allow-scripts');
  if (isModel) frame.allow = MODEL_FEATURES.filter(isKnown).join('; ');
  const address = new URL(url, location.href);
  address.searchParams.set('parent', location.origin);
  const { theme } = document.documentElement.dataset;
  if (theme) address.searchParams.set('theme', theme);
  frame.src = address.href;
  return frame;
}

/** The browser would complain of what it does not know. */
function isKnown(feature: string): boolean {
  const { featurePolicy } = document as { featurePolicy?: FeaturePolicy };
  return featurePolicy?.features().includes(feature) === true;
}
