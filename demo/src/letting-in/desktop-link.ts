import type {
  Access,
  Desktop,
  DesktopHost,
  DesktopRequest,
  DesktopState,
  PairingQuestion,
  Runtime,
} from '@inpage-mcp/runtime';
import { forget, recall, remember } from '../browser/remembered.js';
import { agrees } from './ask-consent.js';
import { accessOf, askForGrant, type Grant } from './grants.js';

/** The key of the grants by the names of the apps, while a pairing exists. */
const STORAGE_KEY = 'inpage-mcp-demo-desktop';

/**
 * The desktop apps of this page. The code that connects them is loaded when the user asks for it, or has
 * paired them before. Fires `change`.
 */
export class DesktopLink extends EventTarget {
  readonly #runtime: Runtime;
  readonly #names: Map<number, string>;
  #desktop: Promise<Desktop> | undefined;
  #served: Desktop | undefined;
  #isConnecting = false;
  #problem = '';

  /** @param names The names of the connections, by their numbers in the activity log. */
  constructor(runtime: Runtime, names: Map<number, string>) {
    super();
    this.#runtime = runtime;
    this.#names = names;
    if (recall(STORAGE_KEY) !== null) this.#serve().catch(() => undefined);
    addEventListener('storage', ({ key }) => {
      if (key === STORAGE_KEY) this.#revokeForgotten();
    });
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

  /** Whether the user has asked for a connection that does not exist yet. */
  get isConnecting(): boolean {
    return this.#isConnecting;
  }

  /** The reason why the last attempt of the user has failed; empty if it has not. */
  get problem(): string {
    return this.#problem;
  }

  /** The grant of the user to an app; undefined without one. */
  grantOf(app: string): Grant | undefined {
    const grants = rememberedGrants();
    return Object.hasOwn(grants, app) ? grants[app] : undefined;
  }

  /** Connects when the user wants it. The user is asked to compare the code if no pairing exists. */
  async connect(): Promise<void> {
    if (this.#isConnecting) return;
    this.#isConnecting = true;
    this.#problem = '';
    this.#changed();
    try {
      const desktop = await this.#serve();
      await desktop.connect();
      // A pairing exists, even without a grant.
      rememberGrants(rememberedGrants());
    } catch (error) {
      this.#problem = (await isForbidden()) ? FORBIDDEN : `${(error as Error).message} ${ADVICE}`;
    }
    this.#isConnecting = false;
    this.#changed();
  }

  /** Withdraws all access from an app at once, on all its connections, and forgets its grant. */
  revoke(app: string): void {
    const { [app]: _, ...others } = rememberedGrants();
    rememberGrants(others);
    for (const { id, name } of this.hosts) if (name === app) this.#served?.revoke(id);
  }

  /** Withdraws all access from the apps that may read a folder. */
  revokeFolder(uri: string): void {
    for (const [app, { folders }] of Object.entries(rememberedGrants()))
      if (folders?.includes(uri)) this.revoke(app);
  }

  /** Withdraws all access from the apps whose grant another tab has withdrawn. */
  #revokeForgotten(): void {
    for (const { id, name } of this.hosts) if (!this.grantOf(name)) this.#served?.revoke(id);
  }

  /** Ends the pairing, and with it all grants. */
  async forget(): Promise<void> {
    forget(STORAGE_KEY);
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
        pair: askForPairing,
        onstatechange: () => this.#changed(),
        onhosts: (hosts) => {
          for (const { connection, name } of hosts) this.#names.set(connection, name);
          this.#changed();
        },
      })
      .then((served) => (this.#served = served))
      .finally(() => this.#changed());
    this.#desktop.catch(() => (this.#desktop = undefined));
    return this.#desktop;
  }

  async #admit({ name, version, signal }: DesktopRequest): Promise<Access | undefined> {
    const known = this.grantOf(name);
    if (known) return accessOf(known, 'all', 'all');
    const question = {
      requester: version ? `${name} ${version}` : name,
      texts: { title: 'Let this desktop app in?', yes: 'Let it in', no: 'Not now' },
      message:
        'It is a program on this computer, and wants to list and read what you choose here. What it ' +
        'reads, it may send to the model that it uses. You can end this at any time.',
    };
    const grant = await askForGrant(this.#runtime, question, signal);
    if (!grant) return undefined;
    rememberGrants({ ...rememberedGrants(), [name]: grant });
    return accessOf(grant, 'all', 'all');
  }

  #changed(): void {
    this.dispatchEvent(new Event('change'));
  }
}

/** Asks whether the desktop app shows the same code. */
async function askForPairing({ code, host, signal }: PairingQuestion): Promise<boolean> {
  const question = {
    requester: host || undefined,
    texts: { title: 'Connect a desktop app?', yes: 'It is the same code', no: 'Cancel' },
    message:
      `The code of this page is ${code}\n\nThe desktop app, or the window in which you have started ` +
      'the bridge, shows a code, too. Is it the same? If it is not, or if you have started no app, ' +
      'somebody else wants to connect: cancel.\n\nAn app sees nothing before you have chosen what it may read.',
  };
  return await agrees(question, signal);
}

/** Reads the grants from the storage, which may contain any text. */
function rememberedGrants(): { [app: string]: Grant } {
  try {
    const grants = JSON.parse(recall(STORAGE_KEY) ?? '{}') as { [app: string]: Grant | null };
    const known = Object.entries(grants).filter(([, grant]) => isGrant(grant));
    return Object.fromEntries(known) as { [app: string]: Grant };
  } catch {
    return {};
  }
}

const isGrant = (grant: Grant | null): boolean =>
  Array.isArray(grant?.notes) &&
  Array.isArray(grant.folders ?? []) &&
  [...grant.notes, ...(grant.folders ?? [])].every((uri) => typeof uri === 'string') &&
  [grant.everything, grant.ask].every((choice) => typeof choice === 'boolean');

function rememberGrants(grants: { [app: string]: Grant }): void {
  remember(STORAGE_KEY, JSON.stringify(grants));
}

/** Whether the user has forbidden this page to reach programs on this computer; only Chromium reports this. */
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

/** The advice if a connection fails. */
const ADVICE =
  'Start the desktop app, and if the browser asks whether this page may reach devices or apps on ' +
  'this computer, allow it.';
