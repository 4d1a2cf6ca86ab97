import '@inpage-mcp/elements/define/mcp-provider';
import '@inpage-mcp/elements/define/mcp-resource-list';
import '@inpage-mcp/elements/define/mcp-resource-view';
import { DemoApp } from './demo-app.js';
import { SessionStart } from './session-start.js';

// First of all: the worker loads while the page is still being drawn.
const start = new SessionStart();

customElements.define('demo-app', DemoApp);
await customElements.whenDefined('demo-app');
await document.querySelector<DemoApp>('demo-app')!.start(start);
