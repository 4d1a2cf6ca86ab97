// The elements of the first screen are loaded at once; all others when they are first shown.
import '@inpage-mcp/elements/autoload';
import '@inpage-mcp/elements/define/mcp-file-drop';
import '@inpage-mcp/elements/define/mcp-provider';
import '@inpage-mcp/elements/define/mcp-resource-list';
import '@inpage-mcp/elements/define/mcp-resource-view';
import { startSession } from './session/session.js';
import { DemoApp } from './app/demo-app.js';

const app = document.querySelector<DemoApp>('demo-app')!;
// The start comes first, so that the worker loads while the page is still being drawn.
const session = startSession((progress) => app.showProgress?.(progress));

// The rest runs in a task of its own, because all scripts of the page have been evaluated in one task until
// here.
await new Promise((resolve) => setTimeout(resolve));
customElements.define('demo-app', DemoApp);
await app.start(session);
