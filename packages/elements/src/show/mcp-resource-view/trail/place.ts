import type { LitElement } from 'lit';

/** Links inside a resource, which lead to other resources. */
const LINKS = '.markdown [role=link]';

/** Where a user is in a resource. */
export interface Place {
  /** Of the element that scrolls: the view, or one around it. */
  scrollTop: number;
  /** Which link has the focus; −1 for none. */
  link: number;
}

/** Where the user is in a view. */
export function placeIn(view: LitElement): Place {
  const active = (view.renderRoot as ShadowRoot).activeElement;
  const links = Array.from<Element | null>(view.renderRoot.querySelectorAll(LINKS));
  return { scrollTop: scrollerOf(view).scrollTop, link: links.indexOf(active) };
}

/** Brings the user back to a place. */
export function goToPlace(view: LitElement, { scrollTop, link }: Place): void {
  view.renderRoot.querySelectorAll<HTMLElement>(LINKS)[link]?.focus({ preventScroll: true });
  scrollerOf(view).scrollTop = scrollTop;
}

/** Brings the user to the beginning of what is shown. */
export function goToStart(view: LitElement): void {
  view.scrollTop = 0;
  // Where the page scrolls, not to the beginning of the page.
  if (view.getBoundingClientRect().top < 0) view.scrollIntoView();
}

/** Moves the focus to what is shown of the resource: the link that had it is gone. */
export function focusBody(view: LitElement): void {
  const body = view.renderRoot.querySelector<HTMLElement>('#body');
  if (!body) return;
  body.tabIndex = -1;
  body.focus({ preventScroll: true });
}

/** The view where it scrolls, else the nearest element around it that does. */
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
