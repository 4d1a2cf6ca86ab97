/**
 * An app that follows a note, asks to call a tool that writes, and answers the call of its own tool once it
 * gets other arguments. It reports what it hears, and when its page is shown again.
 */
import { RawApp } from './raw-app.js';

const app = new RawApp();
let call: unknown;
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) void app.report({ event: 'shown again' });
});
addEventListener('message', ({ source, data: { id, method, params } }) => {
  if (source !== parent || !method) return;
  if (method === 'tools/call') call = id;
  else if (method === 'ui/notifications/tool-input' && call !== undefined)
    app.send({ id: call, result: { content: [{ type: 'text', text: params.arguments.text }] } });
  else void app.report({ event: method, params });
});
await app.start({ tools: {} });
await app.request('resources/subscribe', { uri: 'a:note' });
await app.request('tools/call', { name: 'write', arguments: { text: 'asked' } });
