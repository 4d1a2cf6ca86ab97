import type { McpClient } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { isolate } from '../../base/text/format.js';
import { css, html, nothing, type LitElement, type TemplateResult } from 'lit';
import { chevronIcon, icon } from '../../base/look/icons.js';
import type { ResourceReading } from '../../reading/resource-controller.js';
import { factsIn, factsOf } from '../../reading/resource-facts.js';
import { nameOf } from '../../base/text/name-of.js';
import { truncateText } from '../../base/text/truncate-text.js';
import { adoptStyles } from '../../base/look/adopt-styles.js';
import { McpResourceBackEvent } from './content/events.js';
import type { View } from './content/view.js';

/** The styles of the way back, above the header. */
const styles = css`
  .trail {
    display: flex;
    padding: 0.3rem 0.75rem;
    border-block-end: 1px solid var(--_line);
    background: var(--_surface);
    font-size: 0.8125rem;
  }

  .trail > button {
    display: flex;
    align-items: center;
    gap: 0.4em;
    min-inline-size: 0;
    text-align: start;
    overflow-wrap: anywhere;
  }

  .trail .icon:dir(ltr) {
    rotate: 180deg;
  }
`;

/** The maximum number of steps; of a longer way, the beginning is dropped. */
const MAX_STEPS = 100;

/** A resource that the user has left by a link. */
interface Step {
  uri: string;
  title: string;
  place: Place;
}

/** The way back from resources that the user has reached by links inside the view. */
export class Trail {
  readonly #view: View;
  readonly #announce: (text: string) => void;
  #steps: Step[] = [];
  /**
   * The address of the resource that the last step has led to. If the page shows another resource, the way
   * ends.
   */
  #uri: string | undefined;
  #client: McpClient | undefined;
  /** Called once the resource is shown. */
  #arrive: (() => void) | undefined;

  constructor(view: View, announce: (text: string) => void) {
    this.#view = view;
    this.#announce = announce;
    adoptStyles(view.renderRoot as ShadowRoot, styles);
  }

  /** Shows the target of a link, at its beginning. */
  follow(uri: string, reading: ResourceReading, client: McpClient | undefined): void {
    const steps = this.#stepsHere(reading.uri, client);
    const place = placeIn(this.#view);
    this.#steps = [...steps, { uri: reading.uri, title: this.#titleOf(reading), place }];
    this.#steps.splice(0, this.#steps.length - MAX_STEPS);
    this.#client = client;
    this.#show(uri, () => goToStart(this.#view));
  }

  /** Shows the last resource that was left, unless a listener prevents that. */
  back(): void {
    const step = this.#steps.at(-1);
    if (!step || this.#view.uri !== this.#uri) return;
    if (!this.#view.dispatchEvent(new McpResourceBackEvent(step.uri))) return;
    this.#steps = this.#steps.slice(0, -1);
    this.#show(step.uri, () => goToPlace(this.#view, step.place));
  }

  /** Records that a resource is shown. Must be called each time. */
  arrive(reading: ResourceReading): void {
    if (reading.uri !== this.#uri) return;
    if (!this.#arrive) return;
    this.#arrive();
    this.#arrive = undefined;
    this.#announce(this.#titleOf(reading));
  }

  /**
   * Renders the way back.
   *
   * @param client The client of the shown resource.
   */
  render(client: McpClient | undefined): TemplateResult | typeof nothing {
    const step = this.#stepsHere(this.#view.uri, client).at(-1);
    if (!step) return nothing;
    const title = isolate(step.title);
    return html`<div class="trail" part="back">
      <button class="quiet" @click=${() => this.back()}>
        ${icon(chevronIcon)}
        <span>${msg(str`Back to ${title}`, { id: 'mcp.resource-view.back' })}</span>
      </button>
    </div>`;
  }

  /** The steps to a resource; empty if the page itself has shown it, or another server has it. */
  #stepsHere(uri: string | undefined, client: McpClient | undefined): Step[] {
    return uri === this.#uri && client === this.#client ? this.#steps : [];
  }

  #show(uri: string, go: () => void): void {
    const view = this.#view;
    const hadFocus = (view.renderRoot as ShadowRoot).activeElement !== null;
    this.#uri = uri;
    this.#arrive = () => {
      if (hadFocus) focusBody(view);
      go();
    };
    view.uri = uri;
  }

  #titleOf(reading: ResourceReading): string {
    const { resource } = this.#view;
    const listed = resource?.uri === reading.uri ? resource : undefined;
    const [only, ...others] = reading.result.contents;
    const own = only && others.length === 0 ? factsIn(only).title : undefined;
    const title = own ?? factsOf(listed).title ?? listed?.name ?? '';
    return truncateText(title) || nameOf(reading.uri);
  }
}

/** Links inside a resource, which lead to other resources. */
const LINKS = '.markdown [role=link]';

/** The place of a user in a resource. */
interface Place {
  /** The scroll position of the element that scrolls: the view, or one around it. */
  scrollTop: number;
  /** The index of the link with the focus; −1 for none. */
  link: number;
  /**
   * The distance of the link from the top of the element that scrolls. It is needed because the content above
   * has another height until it is drawn.
   */
  linkTop: number;
}

/** The place of the user in a view. */
function placeIn(view: LitElement): Place {
  const active = (view.renderRoot as ShadowRoot).activeElement;
  const links = Array.from<Element | null>(view.renderRoot.querySelectorAll(LINKS));
  const link = links.indexOf(active);
  const scroller = scrollerOf(view);
  const linkTop = link < 0 ? 0 : distanceFrom(scroller, active!);
  return { scrollTop: scroller.scrollTop, link, linkTop };
}

/** Scrolls back to a place of the user. */
function goToPlace(view: LitElement, { scrollTop, link, linkTop }: Place): void {
  const left = view.renderRoot.querySelectorAll<HTMLElement>(LINKS)[link];
  const scroller = scrollerOf(view);
  scroller.scrollTop = scrollTop;
  if (!left) return;
  left.focus({ preventScroll: true });
  left.scrollIntoView({ block: 'center' });
  scroller.scrollTop += distanceFrom(scroller, left) - linkTop;
}

function distanceFrom(scroller: Element, element: Element): number {
  const isPage = scroller === document.scrollingElement;
  const top = isPage ? 0 : scroller.getBoundingClientRect().top;
  return element.getBoundingClientRect().top - top;
}

/** Scrolls to the beginning of the shown resource. */
function goToStart(view: LitElement): void {
  view.scrollTop = 0;
  // If the page scrolls, this is the beginning of the view, not of the page.
  if (view.getBoundingClientRect().top < 0) view.scrollIntoView();
}

/** Moves the focus to the shown resource, because the link that had it is gone. */
function focusBody(view: LitElement): void {
  const body = view.renderRoot.querySelector<HTMLElement>('#body');
  if (!body) return;
  body.tabIndex = -1;
  body.focus({ preventScroll: true });
}

/** The view if it scrolls, or otherwise the nearest element around it that does. */
function scrollerOf(view: Element): Element {
  let at: Element | null = view;
  while (at) {
    const { overflowY } = getComputedStyle(at);
    if (/auto|scroll/.test(overflowY) && at.scrollHeight > at.clientHeight + 1) return at;
    at = at.assignedSlot ?? at.parentElement ?? hostOf(at);
  }
  return document.scrollingElement ?? view;
}

function hostOf(element: Element): Element | null {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}
