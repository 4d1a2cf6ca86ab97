import type { Runtime, ServedFrame } from '@inpage-mcp/runtime';
import { consentDialog } from './ask-consent.js';
import {
  accessOf,
  admissionQuestion,
  grantIn,
  NO_ACCESS,
  type Choice,
  type Grant,
} from './grant.js';

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

/** The assistant in its frame: from the question to the user to the end. Fires `change`. */
export class AssistantSession extends EventTarget {
  readonly place: AssistantPlace;
  readonly #runtime: Runtime;
  #state: AssistantState = 'absent';
  #grant: Grant | undefined;
  #frame: HTMLIFrameElement | undefined;
  #stop: (() => void) | undefined;
  #connections = new Set<ServedFrame>();
  #admission = new AbortController();

  constructor(runtime: Runtime, place: AssistantPlace) {
    super();
    this.#runtime = runtime;
    this.place = place;
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
    const answer = await dialog.ask(admissionQuestion(this.place.origin, choices), { signal });
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
    this.#set('absent');
  }

  async #admit(grant: Grant): Promise<void> {
    this.#grant = grant;
    const frame = this.#frame!;
    const isSandboxed = this.place.origin === 'null';
    const granting = [...this.#connections].map((one) => one.setAccess(accessOf(grant)));
    await Promise.all(granting);
    // A frame that has asked before is answered now.
    this.#stop ??= await this.#runtime.serveFrames({
      allowedOrigins: isSandboxed ? [] : [this.place.origin],
      sandboxedFrames: isSandboxed ? [frame] : [],
      access: () => (this.#grant ? accessOf(this.#grant) : NO_ACCESS),
      onconnect: (served) => this.#onConnect(served),
    });
    this.#set('admitted');
  }

  #onConnect(served: ServedFrame): void {
    this.#connections.add(served);
    void served.closed.then(() => {
      this.#connections.delete(served);
      this.dispatchEvent(new Event('change'));
    });
    this.dispatchEvent(new Event('change'));
  }

  #createFrame(): HTMLIFrameElement {
    const frame = document.createElement('iframe');
    frame.title = 'Scripted assistant';
    // Without an origin: it can reach nothing of the page but the port that it is given.
    if (this.place.origin === 'null') frame.sandbox.add('allow-scripts');
    const url = new URL(this.place.url, location.href);
    url.searchParams.set('parent', location.origin);
    const { theme } = document.documentElement.dataset;
    if (theme) url.searchParams.set('theme', theme);
    frame.src = url.href;
    return frame;
  }

  #set(state: AssistantState): void {
    this.#state = state;
    this.dispatchEvent(new Event('change'));
  }
}
