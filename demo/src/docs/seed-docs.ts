import type { Runtime } from '@inpage-mcp/runtime';

const WELCOME = `# A note

This note lives in **your browser**, in IndexedDB. An MCP server in a worker of this page serves it.

| part | where it runs |
| ---- | ------------- |
| server | a worker |
| elements | the page |

- [x] write it
- [ ] change it in another tab

\`\`\`js
const { contents } = await client.readResource('note:///…');
\`\`\`
`;

const FILES: readonly [path: string, text: string, type: string][] = [
  ['data/prices.csv', 'item,price\nbread,2.40\nmilk,1.15\ntea,4.90\n', 'text/csv'],
  [
    'data/settings.json',
    '{\n  "theme": "dark",\n  "languages": ["en", "ja"]\n}\n',
    'application/json',
  ],
  ['code/sum.js', 'export const sum = (a, b) => a + b;\n', 'text/javascript'],
];

/** Creates data for the examples, once. Resolves with the address of a note. */
export async function seedDocs(runtime: Runtime): Promise<string> {
  const { notes } = await runtime.notes.list({ limit: 1 });
  const first = notes.at(-1);
  if (first) return `note:///${first.id}`;
  const { id } = await runtime.notes.create({ title: 'A note', text: WELCOME });
  await runtime.notes.create({ title: 'Shopping', text: '- bread\n- milk\n- tea\n' });
  for (const [path, text, type] of FILES)
    await runtime.files.write(path, new Blob([text], { type }));
  return `note:///${id}`;
}
