/** Who has words that would be lost with the page. */
const holders = new Set<object>();

/**
 * Has the browser ask before it leaves the page, as long as anybody needs that. There is a listener
 * only then: it keeps the page out of the back/forward cache.
 */
export function askBeforeLeaving(holder: object, isNeeded: boolean): void {
  if (isNeeded) holders.add(holder);
  else holders.delete(holder);
  if (holders.size > 0) window.addEventListener('beforeunload', ask);
  else window.removeEventListener('beforeunload', ask);
}

function ask(event: Event): void {
  event.preventDefault();
}
