// The scripts of the documentation: search, live examples, reading without a connection.
import './docs.css';
import { showLiveExamples } from './live-examples.js';
import { addPageTools } from './page-tools.js';
import { DocsSearch } from './search.js';

const root = new URL(document.body.dataset['root'] ?? './', document.baseURI);

addPageTools(root);
new DocsSearch(root).start();
showLiveExamples();

// On a phone the list of pages would push the page away. The styles hide it until it can be opened.
const pages = document.querySelector<HTMLDetailsElement>('nav details')!;
pages.open = !matchMedia('(max-width: 50rem)').matches;
pages.className = 'ready';

/** The used part of the API, which the types of TypeScript lack. */
interface TrustedTypes {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ) => { createScriptURL: (url: string) => unknown };
}

// Not during development, because no built pages exist that could be kept.
if (import.meta.env.PROD) keepOffline();

function keepOffline(): void {
  // If service workers are not available, as in some private windows, the site needs a connection.
  const address = new URL('offline.js', root).href;
  navigator.serviceWorker
    ?.register(trusted(address), { scope: root.pathname })
    .catch(() => undefined);
}

/** An address that Trusted Types accept, because it is ours. */
function trusted(address: string): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy('inpage-mcp-docs', {
    createScriptURL: (url) => url,
  });
  return (policy?.createScriptURL(address) ?? address) as string;
}
