import type { Runtime } from '@inpage-mcp/runtime';
import { exclusively } from '../browser/exclusively.js';
import { recall, remember } from '../browser/remembered.js';

/** The key that records the first run in this browser, so that deleted notes do not come back. */
const SEEDED_KEY = 'inpage-mcp-demo-seeded';

/** The time of writing of the notes, in milliseconds since 1970. */
const WRITTEN_AT = Date.UTC(2026, 10, 1);

/**
 * The notes of the first run. Their ids and times are always the same, so that devices that meet later have
 * the same notes. No id is earlier, so that the user's notes are listed before them, regardless of the user's
 * clock.
 */
const NOTES = [
  {
    id: '00000000000000000000000001',
    title: 'Ideas for your own app',
    text: `# Ideas for your own app

- Let an assistant in your page read what the user has open.
- Give a chat widget on another origin a port of its own, straight to the worker.
- Serve your app's own state as a resource and watch it change.

Everything you see here is \`@inpage-mcp/runtime\`, \`client\` and \`elements\`: the source of this demo is meant to be copied.
`,
  },
  {
    id: '00000000000000000000000002',
    title: 'Shopping list',
    text: `# Shopping list

Open this page in a second tab and edit this note there: every line you type appears here, through \`notifications/resources/updated\`.

- [x] oat milk
- [ ] apples
- [ ] 豆腐
`,
  },
  {
    id: '00000000000000000000000003',
    title: 'Welcome',
    text: `# Welcome

This note lives in **IndexedDB**, in this browser only. A real MCP server runs in a Web Worker of this page and serves it as a resource, to any MCP client.

1. **Write a note**, or drop a file anywhere. It is a resource at once.
2. **Click a resource**: the page reads it with \`resources/read\`, like any MCP client. The tab “Wire” shows every message.
3. **Open a second tab** and edit a note there. This one changes by itself.
4. **Let an assistant in.** It gets a connection of its own, sees only what you choose, and asks before it writes.

There is no backend behind this page. Nothing you put here leaves your browser, unless you let a real model read it, or meet your other devices at a server of yours, which sees nothing that is readable.
`,
  },
];

/** The titles of the notes of the first run. */
export const seedTitles: readonly string[] = NOTES.map(({ title }) => title);

/** Writes the notes that explain the demo, on the first run and in one tab only. */
export async function seedOnce(runtime: Runtime): Promise<void> {
  await exclusively(SEEDED_KEY, async () => {
    if (recall(SEEDED_KEY) !== null) return;
    const { notes } = await runtime.notes.list({ limit: 1 });
    // The store determines the size and the first line.
    const derived = { firstLine: '', size: 0 };
    const common = {
      ...derived,
      tags: [],
      createdAt: WRITTEN_AT,
      updatedAt: WRITTEN_AT,
      revision: 1,
    };
    if (notes.length === 0)
      for (const note of NOTES) await runtime.notes.restore({ ...common, ...note });
    remember(SEEDED_KEY, new Date().toISOString());
  });
}
