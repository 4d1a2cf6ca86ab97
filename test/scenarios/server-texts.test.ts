import { expect } from '@esm-bundle/chai';
import { startRuntime } from '@inpage-mcp/runtime';
import { templates as ar } from '@inpage-mcp/elements/locales/ar';
import { templates as ja } from '@inpage-mcp/elements/locales/ja';
import { templates as zh } from '@inpage-mcp/elements/locales/zh';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';

const LANGUAGES = { ar, ja, zh };
/** What the ids of these texts begin with. */
const BEGINNING = 'mcp.server.';

describe('the texts of the own server', () => {
  const databaseName = freshDatabaseName();
  let texts: ReadonlySet<string>;

  before(async () => {
    const runtime = await startRuntime({ databaseName });
    const client = await runtime.connect();
    const shown = [
      (await client.listTools()).tools.map((tool) => ({ ...tool, outputSchema: undefined })),
      (await client.listPrompts()).prompts,
      (await client.listResourceTemplates()).resourceTemplates,
    ];
    await runtime.close();
    texts = new Set(textsIn(shown));
  });

  after(() => deleteDatabase(databaseName));

  for (const [language, translations] of Object.entries(LANGUAGES)) {
    const idsOfTexts = Object.keys(translations).filter((id) => id.startsWith(BEGINNING));

    it(`are all translated: ${language}`, () => {
      const missing = [...texts].filter((text) => !idsOfTexts.includes(BEGINNING + text));
      expect(missing).to.deep.equal([]);
    });

    it(`are all that is translated: ${language}`, () => {
      const unused = idsOfTexts.filter((id) => !texts.has(id.slice(BEGINNING.length)));
      expect(unused).to.deep.equal([]);
    });
  }
});

/** Titles and descriptions anywhere in a value. */
function textsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    typeof member === 'string' && ['title', 'description'].includes(key) ? member : textsIn(member),
  );
}
