// What the first screen shows is there at once; all other elements are loaded when they are first shown.
import '@inpage-mcp/elements/autoload';
import '@inpage-mcp/elements/define/mcp-file-drop';
import '@inpage-mcp/elements/define/mcp-provider';
import '@inpage-mcp/elements/define/mcp-resource-list';
import '@inpage-mcp/elements/define/mcp-resource-view';
import { DemoApp } from './shell/demo-app.js';
import { SessionStart, warmFormats } from './session/session-start.js';

// First of all: the worker loads while the page is still being drawn.
const start = new SessionStart();

// In a task of its own: until here all scripts of the page have been evaluated in one.
await new Promise((resolve) => setTimeout(resolve));
customElements.define('demo-app', DemoApp);
await customElements.whenDefined('demo-app');
const app = document.querySelector<DemoApp>('demo-app')!;
const started = app.start(start);
await app.updateComplete;
warmFormats();
await started;
