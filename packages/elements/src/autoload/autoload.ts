import { loadPart } from '../base/look/load-part.js';
import { loaders } from './loaders.js';

const loading = new Set<string>();
const observed = new WeakSet<Node>();
/** The names of elements without a definition, by the root that contains them. */
const awaited = new WeakMap<Node, Set<string>>();

/** The observer. It is created on first use, because a server does not have this class. */
let observer: MutationObserver | undefined;

/**
 * Defines each element of this package when the root first contains it, now or later, also in open
 * shadow roots. Importing `@inpage-mcp/elements/autoload` does this for the document; call it for a
 * closed shadow root. If the module of an element cannot be loaded, the error is reported to the window,
 * and the next element of that name tries again.
 */
export function autoload(root: Document | DocumentFragment | Element): void {
  if (observed.has(root)) return;
  observed.add(root);
  observer ??= new MutationObserver(onChange);
  observer.observe(root, { childList: true, subtree: true });
  discoverInside(root);
}

function onChange(records: MutationRecord[]): void {
  for (const { addedNodes } of records)
    for (const node of addedNodes) if (node instanceof Element) discoverAll(node);
}

function discoverAll(element: Element): void {
  discover(element);
  discoverInside(element);
}

function discoverInside(root: ParentNode): void {
  for (const element of root.querySelectorAll('*')) discover(element);
}

function discover(element: Element): void {
  const { localName, shadowRoot } = element;
  if (shadowRoot) autoload(shadowRoot);
  else if (localName.includes('-') && !customElements.get(localName)) {
    if (Object.hasOwn(loaders, localName)) load(localName);
    awaitDefinition(localName, element.getRootNode());
  }
}

function load(name: string): void {
  if (loading.has(name)) return;
  loading.add(name);
  loadPart(loaders[name]!).catch((cause: unknown) => {
    loading.delete(name);
    reportError(new Error(`The element <${name}> could not be loaded.`, { cause }));
  });
}

/**
 * Waits for the definition of an element, which may then have a shadow root. A removed root is not kept
 * alive.
 */
function awaitDefinition(name: string, root: Node): void {
  const names = awaited.get(root) ?? new Set();
  if (names.has(name)) return;
  awaited.set(root, names.add(name));
  const weak = new WeakRef(root);
  customElements.whenDefined(name).then(
    () => discoverNamed(name, weak.deref()),
    // The name is one that no element can have, such as `font-face`.
    () => undefined,
  );
}

function discoverNamed(name: string, root: Node | undefined): void {
  if (!(root instanceof Document || root instanceof DocumentFragment)) return;
  for (const element of root.querySelectorAll(name)) discover(element);
}
