import type { Runtime } from '@inpage-mcp/runtime';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { titleIn } from './addresses.js';
import type { Opened, Side } from './opened.js';
import { recall, remember } from '../browser/remembered.js';

/** Says that this browser has opened something here: the page needs no introduction any more. */
const INTRODUCED_KEY = 'inpage-mcp-demo-introduced';

/** Of these a narrow screen shows one. */
export type Pane = 'list' | 'preview' | 'side';

/** The state in the address of the page, after `#`: the resource that is open, and the pane at the side. */
interface Place {
  /** The uri of a resource; absent where none is open. */
  readonly uri?: string | undefined;
  /** Absent where none was chosen. */
  readonly side?: Side | undefined;
}

/** The open resource and the panes in sight, as the address of the page says, and the other way round. */
export class Navigation implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #runtime: Runtime | undefined;
  #opened: Opened | undefined;
  #isFirstVisit = location.hash.length <= 1 && recall(INTRODUCED_KEY) === null;
  #pane: Pane = this.#isFirstVisit ? 'preview' : 'list';
  #side: Side | undefined;
  readonly #onPopState = (): void => void this.#show(placeOf(location.hash));

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener('popstate', this.#onPopState);
  }

  hostDisconnected(): void {
    removeEventListener('popstate', this.#onPopState);
  }

  /** The resource, or the offer of the server, that is open. */
  get opened(): Opened | undefined {
    return this.#opened;
  }

  /** Whether the page introduces itself, in the place of a resource: until the user opens something. */
  get isFirstVisit(): boolean {
    return this.#isFirstVisit;
  }

  get pane(): Pane {
    return this.#pane;
  }

  get side(): Side {
    return this.#side ?? 'clients';
  }

  /** Shows what the address says, now that there is something to be shown. Never rejects. */
  async start(runtime: Runtime): Promise<void> {
    this.#runtime = runtime;
    await this.#show(placeOf(location.hash));
  }

  /**
   * Opens something, or closes what is open.
   *
   * @param isStep Whether Back leads to what was open before.
   */
  open(opened: Opened | undefined, isStep: boolean): void {
    if (opened) this.#endIntroduction();
    this.#opened = opened;
    showPlace({ uri: opened?.uri, side: this.#side }, isStep);
    this.#host.requestUpdate();
  }

  showPane(pane: Pane): void {
    if (pane === 'side' && this.#endIntroduction()) void this.#openFound(undefined);
    this.#pane = pane;
    this.#host.requestUpdate();
  }

  showSide(side: Side): void {
    const isStep = this.#pane !== 'side';
    this.#side = side;
    showPlace({ uri: this.#opened?.uri, side }, isStep);
    this.showPane('side');
  }

  /** Returns whether the page has introduced itself until now. */
  #endIntroduction(): boolean {
    const wasFirstVisit = this.#isFirstVisit;
    this.#isFirstVisit = false;
    if (wasFirstVisit) remember(INTRODUCED_KEY, 'yes');
    return wasFirstVisit;
  }

  async #show({ uri, side }: Place): Promise<void> {
    if (uri !== undefined || side !== undefined) this.#endIntroduction();
    if (this.#isFirstVisit) return;
    this.#side = side;
    if (uri === undefined && side === undefined) this.showPane('list');
    else this.showPane(side ? 'side' : 'preview');
    await this.#openFound(uri);
  }

  /** Opens what was named, or the newest note. */
  async #openFound(uri: string | undefined): Promise<void> {
    const before = this.#opened;
    if (uri !== undefined && uri === before?.uri) return;
    const opened = uri === undefined ? await this.#newestNote() : { uri, title: titleIn(uri) };
    // The user may have opened something while the note was looked for.
    if (this.#opened !== before) return;
    this.#opened = opened;
    this.#host.requestUpdate();
  }

  /** The resource that is open where the address names none. */
  async #newestNote(): Promise<Opened | undefined> {
    // Where notes cannot be read, the list says so.
    const listed = await this.#runtime?.notes.list({ limit: 1 }).catch(() => undefined);
    const note = listed?.notes[0];
    const title = note?.title || 'Untitled note';
    return note && { uri: `note:///${note.id}`, title };
  }
}

const SIDE = /^(clients|activity|wire)(?:\+(.+))?$/;

/** The state in an address. Anything that is no name of a pane is a uri, which is only looked up. */
function placeOf(hash: string): Place {
  const words = hash.slice(1);
  const [, side, behind] = SIDE.exec(words) ?? [];
  if (side) return { side: side as Side, uri: behind };
  return words === '' ? {} : { uri: words };
}

/** Makes a place the address of the page; with `isStep`, Back leads to the one before. */
function showPlace({ uri, side }: Place, isStep: boolean): void {
  // The uris of this server are made of what an address may hold.
  const words = [side, uri].filter(Boolean).join('+');
  if (words === location.hash.slice(1)) return;
  const url = words ? `#${words}` : location.pathname + location.search;
  if (isStep) history.pushState(null, '', url);
  else history.replaceState(null, '', url);
}
