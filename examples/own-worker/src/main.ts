import { startRuntime } from '@inpage-mcp/runtime/own-worker';

const runtime = await startRuntime({
  worker: () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }),
  databaseName: 'own-worker-example-notes',
});
const client = await runtime.connect();

const list = document.querySelector('ul')!;
const view = document.querySelector('pre')!;
const time = document.querySelector('time')!;

async function textOf(uri: string): Promise<string> {
  const { contents } = await client.readResource(uri);
  return contents.map((part) => ('text' in part ? part.text : `${part.uri} is binary`)).join('\n');
}

async function showList(): Promise<void> {
  const resources = [];
  for await (const page of client.resources()) resources.push(...page);
  list.replaceChildren(
    ...resources.map(({ uri, title, name }) => {
      const button = document.createElement('button');
      button.append(
        title ?? name,
        Object.assign(document.createElement('code'), { textContent: uri }),
      );
      button.addEventListener('click', async () => (view.textContent = await textOf(uri)));
      const entry = document.createElement('li');
      entry.append(button);
      return entry;
    }),
  );
}

async function showTime(): Promise<void> {
  time.dateTime = await textOf('clock:///now');
  time.textContent = new Date(time.dateTime).toLocaleTimeString();
}

// State of the page as a resource: each client can read what the user has selected.
const selection = await runtime.provide({
  uri: 'app://selection',
  name: 'selection',
  title: 'Selected text',
  description: 'What the user has selected on the page at the moment.',
  read: () => String(getSelection()),
});
document.addEventListener('selectionchange', () => void selection.changed());

// Watch first, then read: a change in between is not missed.
await client.watchList(() => void showList()).ready;
await client.watch('clock:///now', () => void showTime()).ready;
await Promise.all([showList(), showTime()]);
