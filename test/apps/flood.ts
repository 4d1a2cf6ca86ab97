// An app that says too much, in the way that its call asks for.
import { RawApp } from './raw-app.js';

const app = new RawApp();
await app.start();
const { how } = await app.input;
const grow = (): void => {
  let height = 100;
  const timer = setInterval(() => {
    height += 50;
    app.send({ method: 'ui/notifications/size-changed', params: { width: 1e9, height } });
    if (height > 5_000) {
      clearInterval(timer);
      void app.report({ event: 'grown' });
    }
  });
};
if (how === 'messages') for (let n = 0; n < 20_000; n += 1) app.send({ method: 'a/b', params: {} });
if (how === 'requests') {
  const calls = Array.from({ length: 100 }, () =>
    app.request('tools/call', { name: 'slow', arguments: {} }),
  );
  const refused = await Promise.race(calls);
  // Else there is no room for the report.
  app.send({ method: 'notifications/cancelled', params: { requestId: 2 } });
  await app.report({ event: 'refused', refused });
}
if (how === 'size') grow();
if (how === 'large') {
  const text = 'x'.repeat(32 * 1024 * 1024);
  await app.report({
    event: 'large',
    ...(await app.request('ui/message', { content: { type: 'text', text } })),
  });
}
if (how === 'values') {
  const content = Array.from({ length: 300_000 }, () => 1);
  await app.report({
    event: 'values',
    ...(await app.request('tools/call', { name: 'write', arguments: { content } })),
  });
}
if (how === 'garbage') {
  for (const message of [
    null,
    1,
    'a',
    [],
    { jsonrpc: '1.0' },
    { jsonrpc: '2.0', id: {} },
    { jsonrpc: '2.0', method: 1 },
  ])
    parent.postMessage(message, '*');
  app.send({ id: 99, method: '__proto__', params: [] });
  app.send({ id: 100, method: 'constructor' });
  app.send({ id: 5, result: 'not asked for' });
  app.send({ method: 'ui/notifications/size-changed', params: { height: 'tall', width: -1 } });
  app.send({ method: 'notifications/cancelled', params: { requestId: {} } });
  await app.report({ event: 'alive' });
}
if (how === 'cancel') {
  void app.request('ui/open-link', { url: 'https://example.org/' });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  app.send({ method: 'notifications/cancelled', params: { requestId: 2 } });
}
if (how === 'blocks') {
  const content = [{ type: 'text' }, 5, { type: 'text', text: 'Valid' }, { type: 'unknown' }];
  await app.request('ui/message', { role: 'user', content });
  await app.report({ event: 'sent' });
}
if (how === 'close') app.send({ method: 'ui/notifications/request-teardown', params: {} });
