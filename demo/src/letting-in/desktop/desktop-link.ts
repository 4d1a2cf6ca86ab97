import type {
  Access,
  Desktop,
  DesktopHost,
  DesktopRequest,
  DesktopState,
  Runtime,
} from '@inpage-mcp/runtime';
import { choicesOf } from '../grants.js';
import type { Connections } from '../../session/connections.js';
import {
  forgetPairing,
  rememberedGrant,
  rememberGrant,
  rememberPairing,
  wasPaired,
} from './desktop-grants.js';

/**
 * The desktop apps of this page: what connects them is loaded when the user asks for it, or has
 * paired them before. Fires `change`.
 */
export class DesktopLink extends EventTarget {
  readonly #runtime: Runtime;
  #desktop: Promise<Desktop> | undefined;
  #served: Desktop | undefined;
  #isConnecting = false;
  #problem = '';
  #hasRefused = false;
  readonly #known: Connections;

  constructor(runtime: Runtime, known: Connections) {
    super();
    this.#runtime = runtime;
    this.#known = known;
    if (wasPaired()) this.#serve().catch(() => undefined);
  }

  get state(): DesktopState {
    return this.#served?.state ?? 'resting';
  }

  get hosts(): readonly DesktopHost[] {
    return this.#served?.hosts ?? [];
  }

  get isPaired(): boolean {
    return this.#served?.isPaired ?? false;
  }

  /** Whether the user has asked for a connection that is not there yet. */
  get isConnecting(): boolean {
    return this.#isConnecting;
  }

  /** Whether an app was refused or revoked since the user has last asked for a connection. */
  get hasRefused(): boolean {
    return this.#hasRefused;
  }

  /** Why the last attempt of the user has failed; empty if it has not. */
  get problem(): string {
    return this.#problem;
  }

  /** Connects at the wish of the user, who is asked to compare the code if there is no pairing. */
  async connect(): Promise<void> {
    if (this.#isConnecting) return;
    this.#isConnecting = true;
    this.#hasRefused = false;
    this.#problem = '';
    this.#changed();
    try {
      const desktop = await this.#serve();
      await desktop.connect();
      rememberPairing();
    } catch (error) {
      this.#problem = (await isForbidden()) ? FORBIDDEN : `${(error as Error).message} ${ADVICE}`;
    }
    this.#isConnecting = false;
    this.#changed();
  }

  /** Takes everything from an app at once, on all its connections, and forgets what it was allowed. */
  revoke(app: string): void {
    rememberGrant(app, undefined);
    this.#hasRefused = true;
    for (const { id, name } of this.hosts) if (name === app) this.#served?.revoke(id);
  }

  /** Ends the pairing, and with it all that was allowed. */
  async forget(): Promise<void> {
    forgetPairing();
    this.#problem = '';
    try {
      await this.#served?.forget();
    } catch (error) {
      this.#problem = (error as Error).message;
    }
    this.#changed();
  }

  #serve(): Promise<Desktop> {
    this.#desktop ??= this.#runtime
      .serveDesktop({
        access: (request) => this.#admit(request),
        pair: async (question) => (await loadQuestions()).askForPairing(question),
        onstatechange: () => this.#changed(),
        onhosts: (hosts) => {
          for (const { connection, name } of hosts) this.#known.add(connection, name);
          this.#changed();
        },
      })
      .then((served) => (this.#served = served))
      .finally(() => this.#changed());
    this.#desktop.catch(() => (this.#desktop = undefined));
    return this.#desktop;
  }

  async #admit(request: DesktopRequest): Promise<Access | undefined> {
    const { accessOf, askForGrant } = await loadQuestions();
    const known = rememberedGrant(request.name);
    if (known) return accessOf(known);
    const grant = await askForGrant(request, await choicesOf(this.#runtime));
    if (!grant) {
      this.#hasRefused ||= !request.signal.aborted;
      this.#changed();
      return undefined;
    }
    rememberGrant(request.name, grant);
    return accessOf(grant);
  }

  #changed(): void {
    this.dispatchEvent(new Event('change'));
  }
}

/** Whether the user has forbidden this page to reach programs on this computer; only Chromium says so. */
async function isForbidden(): Promise<boolean> {
  try {
    const name = 'loopback-network' as PermissionName;
    const { state } = await navigator.permissions.query({ name });
    return state === 'denied';
  } catch {
    return false;
  }
}

const FORBIDDEN =
  'The browser does not let this page reach apps on this computer, because that was blocked. Allow it ' +
  'in the settings of this site, by the button before its address, and connect again.';

/** What to do if no connection comes about. */
const ADVICE =
  'Start the desktop app, and if the browser asks whether this page may reach devices or apps on ' +
  'this computer, allow it.';

const loadQuestions = () => import('./desktop-questions.js');
