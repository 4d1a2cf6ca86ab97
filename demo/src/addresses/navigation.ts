import type { Runtime } from '@inpage-mcp/runtime';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { titleIn } from './addresses.js';
import type { Opened, Side } from './opened.js';
import { recall, remember } from '../browser/remembered.js';

/** The key that records that the user has opened a resource here: the page then needs no introduction. */
const INTRODUCED_KEY = 'inpage-mcp-demo-introduced';

/** The panes, of which a narrow screen shows only one. */
export type Pane = 'list' | 'preview' | 'side';

/** The state in the address of the page, after `#`: the resource that is open, and the pane at the side. */
interface Place {
  /** The uri of a resource; absent if none is open. */
  readonly uri?: string | undefined;
  /** The pane at the side; absent if none was chosen. */
  readonly side?: Side | undefined;
}

/** The open resource and the visible panes, which are always the same as in the address of the page. */
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

  /** The open resource, or the open pane of a feature of the server. */
  get opened(): Opened | undefined {
    return this.#opened;
  }

  /** Whether the page shows its introduction instead of a resource: until the user opens one. */
  get isFirstVisit(): boolean {
    return this.#isFirstVisit;
  }

  get pane(): Pane {
    return this.#pane;
  }

  get side(): Side {
    return this.#side ?? 'clients';
  }

  /** Shows the place in the address, after the server has started. Never rejects. */
  async start(runtime: Runtime): Promise<void> {
    this.#runtime = runtime;
    await this.#show(placeOf(location.hash));
  }

  /**
   * Opens a resource or a feature, or closes the open one.
   *
   * @param isStep Whether Back leads to the previous one.
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

  /** Ends the introduction. Returns whether it was shown until now. */
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

  /** Opens the named resource, or the newest note. */
  async #openFound(uri: string | undefined): Promise<void> {
    const before = this.#opened;
    if (uri !== undefined && uri === before?.uri) return;
    const opened = uri === undefined ? await this.#newestNote() : { uri, title: titleIn(uri) };
    // The user may have opened another resource during the search for the note.
    if (this.#opened !== before) return;
    this.#opened = opened;
    this.#host.requestUpdate();
  }

  /** The resource that is open if the address names none. */
  async #newestNote(): Promise<Opened | undefined> {
    // If notes cannot be read, the list shows the error.
    const listed = await this.#runtime?.notes.list({ limit: 1 }).catch(() => undefined);
    const note = listed?.notes[0];
    const title = note?.title || 'Untitled note';
    return note && { uri: `note:///${note.id}`, title };
  }
}

const SIDE = /^(clients|activity|wire)(?:\+(.+))?$/;

/** The state in an address. Any text that is not the name of a pane is a uri, which is only looked up. */
function placeOf(hash: string): Place {
  const words = hash.slice(1);
  const [, side, behind] = SIDE.exec(words) ?? [];
  if (side) return { side: side as Side, uri: behind };
  return words === '' ? {} : { uri: words };
}

/** Makes a place the address of the page; with `isStep`, Back leads to the previous place. */
function showPlace({ uri, side }: Place, isStep: boolean): void {
  // The uris of this server contain only characters that are valid in an address.
  const words = [side, uri].filter(Boolean).join('+');
  if (words === location.hash.slice(1)) return;
  const url = words ? `#${words}` : location.pathname + location.search;
  if (isStep) history.pushState(null, '', url);
  else history.replaceState(null, '', url);
}
