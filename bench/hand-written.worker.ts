import { answerOf } from './databases.js';
import { FIXED, FIXED_TEXT } from './fixed-text.js';

/** What somebody would write who needs no protocol: a method, its arguments, an answer. */
const methods: { [method: string]: (...args: never[]) => unknown } = {
  read: (uri: string) => (uri === FIXED.uri ? { uri, text: FIXED_TEXT } : undefined),
  open: async (name: string) => {
    database = await answerOf(indexedDB.open(name));
  },
  note: async (id: string) => {
    const transaction = database!.transaction(['notes', 'note-texts']);
    const summary = answerOf(transaction.objectStore('notes').get(id));
    const text = answerOf(transaction.objectStore('note-texts').get(id));
    return [await summary, await text];
  },
  put: async (summary: { id: string }, text: string) => {
    const stores = ['notes', 'note-texts'];
    const transaction = database!.transaction(stores, 'readwrite', { durability: 'strict' });
    transaction.objectStore('notes').put(summary);
    transaction.objectStore('note-texts').put(text, summary.id);
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error);
    });
  },
  base64: async (path: string) => {
    const bytes = database!.transaction('file-bytes').objectStore('file-bytes');
    const blob = (await answerOf(bytes.get(path))) as Blob;
    const read = new Uint8Array(await blob.arrayBuffer());
    return (read as unknown as { toBase64(): string }).toBase64();
  },
};

let database: IDBDatabase | undefined;

interface Asked {
  id: number;
  method: string;
  args: never[];
}

addEventListener('message', ({ ports: [port] }) => {
  if (!port) return;
  port.onmessage = async ({ data: { id, method, args } }: MessageEvent<Asked>) => {
    const outcome = methods[method]?.(...args);
    const result = outcome instanceof Promise ? await outcome : outcome;
    port.postMessage({ id, result });
  };
});
