// What the first screen shows is there at once; all other elements are loaded when they are first shown.
import '@inpage-mcp/elements/autoload';
import '@inpage-mcp/elements/define/mcp-file-drop';
import '@inpage-mcp/elements/define/mcp-provider';
import '@inpage-mcp/elements/define/mcp-resource-list';
import '@inpage-mcp/elements/define/mcp-resource-view';
import { startSession } from './session/session.js';
import { DemoApp } from './app/demo-app.js';

const app = document.querySelector<DemoApp>('demo-app')!;
// First of all: the worker loads while the page is still being drawn.
const session = startSession((progress) => app.showProgress?.(progress));

// In a task of its own: until here all scripts of the page have been evaluated in one.
await new Promise((resolve) => setTimeout(resolve));
customElements.define('demo-app', DemoApp);
await app.start(session);
