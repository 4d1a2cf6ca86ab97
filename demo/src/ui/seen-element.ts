import { LitElement } from 'lit';

/** How far outside of the window an element is still drawn: who scrolls finds it there. */
const MARGIN = '1000px';

/**
 * An element that is drawn for the first time when it comes into sight, in a task of its own. On a
 * narrow screen, of three panes one is in sight; and several that were drawn in one task would keep
 * the page from answering.
 *
 * Code that needs its content awaits `updateComplete`.
 */
export abstract class SeenElement extends LitElement {
  protected override async scheduleUpdate(): Promise<void> {
    if (!this.hasUpdated) await seen(this);
    await super.scheduleUpdate();
  }
}

/** In a tab in the background nothing comes into sight, and its user finds everything drawn. */
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
