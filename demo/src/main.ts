import '@inpage-mcp/elements';
import { DemoApp } from './demo-app.js';
import { startSession } from './session.js';

// First of all: the worker loads while the page is still being drawn.
const session = startSession();

customElements.define('demo-app', DemoApp);
await customElements.whenDefined('demo-app');
await document.querySelector<DemoApp>('demo-app')!.start(session);
