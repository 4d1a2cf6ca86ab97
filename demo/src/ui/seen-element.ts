import { LitElement } from 'lit';

/**
 * The distance outside of the window within which an element is still drawn, so that it is ready after
 * scrolling.
 */
const MARGIN = '1000px';

/**
 * An element that is drawn for the first time when it becomes visible, in a task of its own. On a narrow
 * screen only one of three panes is visible. Several elements that are drawn in one task would block the
 * page.
 *
 * Code that needs its content awaits `updateComplete`.
 */
export abstract class SeenElement extends LitElement {
  protected override async scheduleUpdate(): Promise<void> {
    if (!this.hasUpdated) await seen(this);
    await super.scheduleUpdate();
  }
}

/**
 * Resolves when an element becomes visible. In a background tab it resolves at once, because no element
 * becomes visible there, but all must be drawn when the user returns.
 */
async function seen(element: Element): Promise<void> {
  await new Promise<void>((resolve) => {
    if (document.hidden) return void setTimeout(resolve);
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        setTimeout(resolve);
      },
      { rootMargin: MARGIN },
    );
    observer.observe(element);
  });
}
