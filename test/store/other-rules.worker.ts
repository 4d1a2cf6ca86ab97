import { openStore, type Store } from '@inpage-mcp/store';

/**
 * A tab of another version, which splits texts by other rules: without a dictionary, each character of
 * a script without spaces is a word. So it is another version in earnest, whatever the next one changes.
 */
Reflect.deleteProperty(Intl, 'Segmenter');

/** A call of the page, and the port for its answer. */
export type OtherTabCall = { open: string } | { search: string } | { title: string } | 'update';

let store: Store;

self.onmessage = async ({ data, ports }: MessageEvent<OtherTabCall>) => {
  const answer = await answerTo(data).catch((error: unknown) => String(error));
  ports[0]!.postMessage(answer);
};

async function answerTo(call: OtherTabCall): Promise<unknown> {
  if (call === 'update') return await store.updateIndex();
  if ('open' in call) return void (store = await openStore(call.open));
  if ('title' in call) return void (await store.notes.create({ title: call.title, text: '' }));
  const { matches } = await store.notes.search(call.search, { limit: 100 });
  return matches.map(({ note }) => note.title).toSorted();
}
