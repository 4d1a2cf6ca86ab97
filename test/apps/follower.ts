/** An app that follows a resource, and answers when it is to end. */
import { RawApp } from './raw-app.js';

const app = new RawApp();
addEventListener('message', ({ source, data: { id, method } }) => {
  if (source === parent && method && id !== undefined) app.send({ id, result: {} });
});
await app.start();
await app.request('resources/subscribe', { uri: 'a:note' });
