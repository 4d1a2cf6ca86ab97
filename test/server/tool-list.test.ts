import { expect } from '@esm-bundle/chai';
import { MAX_QUERY_LENGTH, MAX_TITLE_LENGTH } from '@inpage-mcp/store';
import { ListToolsResultSchema } from '@modelcontextprotocol/core';
import { useLinkedServer } from '../support/linked-server.js';
import { ERAS, toolsOf, type ToolCaller } from '../support/tool-caller.js';

const ADDS = { readOnlyHint: false, destructiveHint: false, idempotentHint: false };
const REPLACES = { readOnlyHint: false, destructiveHint: true, idempotentHint: true };
const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };

const HINTS: { [name: string]: object } = {
  create_note: ADDS,
  update_note: REPLACES,
  append_to_note: ADDS,
  delete_note: REPLACES,
  search_notes: READS,
  save_file: REPLACES,
  move_file: REPLACES,
  delete_file: REPLACES,
  search_files: READS,
  list_resources: READS,
  read_resource: READS,
};

const MISSING = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

/** Arguments that fit, one set for each tool. */
const ARGUMENTS: { [name: string]: object } = {
  create_note: { title: 'a', text: 't' },
  update_note: { id: MISSING, text: 't' },
  append_to_note: { id: MISSING, text: 't' },
  delete_note: { id: MISSING },
  search_notes: { query: 'a' },
  save_file: { path: 'a', text: 't' },
  move_file: { from: 'a', to: 'b' },
  delete_file: { path: 'a' },
  search_files: { query: 'a' },
  list_resources: {},
  read_resource: { uri: 'file:///a' },
};

for (const era of ERAS) {
  describe(`the tools of notes, files and resources in the ${era} era`, () => {
    const linked = useLinkedServer();
    let tools: ToolCaller;

    beforeEach(() => {
      tools = toolsOf(linked, era);
    });

    it('are listed with truthful hints', async () => {
      const listed = await tools.tools();
      const hints = listed.map(({ name, annotations }) => [name, annotations]);
      const expected = Object.entries(HINTS).map(([name, own]) => [
        name,
        { ...own, openWorldHint: false },
      ]);
      expect(Object.fromEntries(hints)).to.deep.equal(Object.fromEntries(expected));
    });

    it('say in words how much they take', async () => {
      const listed = await tools.tools();
      const wordsOf = (tool: string, name: string): string | undefined => {
        const found = listed.find((one) => one.name === tool);
        const fields = found?.inputSchema.properties as Record<string, { description?: string }>;
        return fields[name]?.description;
      };
      const title = MAX_TITLE_LENGTH.toLocaleString('en');
      expect(wordsOf('create_note', 'title')).to.contain(`up to ${title} characters`);
      const query = MAX_QUERY_LENGTH.toLocaleString('en');
      expect(wordsOf('search_notes', 'query')).to.contain(`up to ${query} characters`);
      expect(wordsOf('create_note', 'text')).to.contain('up to 8 MB');
    });

    it('are listed as the specification has it, each with words and icons for people', async () => {
      const answer = await tools.request('tools/list');
      const result = 'result' in answer ? answer.result : {};
      const { tools: listed } = ListToolsResultSchema.parse(result);
      expect(listed).to.have.length(Object.keys(HINTS).length);
      for (const { name, title, description, icons } of listed) {
        expect(title, name).to.match(/^\w/);
        expect(description?.length, name).to.be.within(20, 600);
        expect(icons?.[0]?.src, name).to.match(/^data:image\/png;base64,/);
      }
    });

    it('have strict schemas, with a description of every argument', async () => {
      for (const { name, inputSchema, outputSchema } of await tools.tools()) {
        expect(inputSchema.additionalProperties, name).to.equal(false);
        expect(outputSchema, name).to.include({ type: 'object', additionalProperties: false });
        for (const [property, schema] of Object.entries(inputSchema.properties)) {
          expect(schema['description'], `${name}.${property}`).to.be.a('string');
        }
      }
    });

    it('express the limits of the store in the schemas', async () => {
      const { title, text, tags } = (await tools.tool('create_note')).inputSchema.properties;
      expect(title).to.include({ maxLength: 1_000 });
      expect(text).to.include({ maxLength: 8 * 1024 * 1024 });
      expect(tags).to.include({ maxItems: 100 });
      const { path, base64 } = (await tools.tool('save_file')).inputSchema.properties;
      expect(path).to.include({ minLength: 1, maxLength: 2_048 });
      expect(base64).to.include({ contentEncoding: 'base64' });
      const { limit } = (await tools.tool('search_notes')).inputSchema.properties;
      expect(limit).to.include({ type: 'integer', minimum: 1, maximum: 100, default: 20 });
    });

    it('refuse an argument that they do not know, and name those they do', async () => {
      for (const [name, args] of Object.entries(ARGUMENTS)) {
        const message = await tools.failure(name, { ...args, colour: 'red' });
        expect(message, name).to.contain('Unknown property "colour"; this tool takes only: ');
      }
      const many = Object.fromEntries(
        Array.from({ length: 1_000 }, (_, n) => [`${n}_${'x'.repeat(200)}`, 0]),
      );
      expect((await tools.failure('list_resources', many)).length).to.be.below(600);
      expect(await linked.server.store.notes.count()).to.equal(0);
      expect(await linked.server.store.files.count()).to.equal(0);
    });

    it('refuse arguments that are none', async () => {
      const answer = await tools.request('tools/call', { name: 'create_note', arguments: 'x' });
      expect(answer).to.have.nested.property('error.code', -32602);
      expect(await tools.failure('create_note')).to.match(/title: .*text: /);
    });

    it('are the only ones: another is unknown', async () => {
      const answer = await tools.request('tools/call', { name: 'drop_notes', arguments: {} });
      expect(answer).to.have.nested.property('error.code', -32602);
    });
  });
}
