import { expect } from '@esm-bundle/chai';
import type { JsonRpcResult } from '@inpage-mcp/transport';
import { useLinkedServer } from '../support/linked-server.js';
import { ERAS, ToolCaller, type Era } from '../support/tool-caller.js';

const READING = ['list_resources', 'read_resource', 'search_files', 'search_notes'];
const FORMS = { elicitation: { form: {} } };

type Confirmation = { tool: string; message: string; arguments: unknown };

const linked = useLinkedServer();

/** Tools of a connection that has to ask. */
function asking(era: Era, capabilities: object = {}): ToolCaller {
  return new ToolCaller(linked.connectRaw({ write: 'ask' }), era, { ...capabilities });
}

for (const era of ERAS) {
  describe(`tools on a port that may not write, in the ${era} era`, () => {
    it('are only those that read', async () => {
      const tools = new ToolCaller(linked.connectRaw({ write: 'deny' }), era);
      const names = (await tools.tools()).map(({ name }) => name);
      expect(names.toSorted()).to.deep.equal(READING);
      const args = { name: 'create_note', arguments: { title: 'a', text: 't' } };
      const answer = await tools.request('tools/call', args);
      expect(answer).to.have.nested.property('error.code', -32602);
      expect(await linked.server.store.notes.count()).to.equal(0);
    });
  });

  describe(`tools on a port that asks, in the ${era} era, for a client without elicitation`, () => {
    const note = { title: 'a', text: 't' };

    it('write nothing when nobody can be asked', async () => {
      const message = await asking(era).failure('create_note', note);
      expect(message).to.contain('Nothing was changed.');
      expect(await linked.server.store.notes.count()).to.equal(0);
    });

    it('ask the page, and write what its user agrees to', async () => {
      const asked: Confirmation[] = [];
      linked.server.confirm = (request) => asked.push(request) === 1;
      const tools = asking(era);
      await tools.call('create_note', { ...note, idempotencyKey: 'a key' });
      expect(await tools.failure('create_note', note)).to.contain('Nothing was changed.');
      const message = 'Create the note "a"?';
      const question = { tool: 'create_note', message, arguments: note };
      expect(asked).to.deep.equal([question, question]);
      expect(await linked.server.store.notes.count()).to.equal(1);
    });

    it('write nothing when what was asked about has changed by the answer', async () => {
      const { files } = linked.server.store;
      linked.server.confirm = async () => {
        await files.write('a', new Blob(['theirs']));
        return true;
      };
      const message = await asking(era).failure('save_file', { path: 'a', text: 'mine' });
      expect(message).to.contain('changed after the user was asked');
      expect(await (await files.read('a')).blob.text()).to.equal('theirs');
    });

    it('ask the page when the client shows no forms', async () => {
      const asked: Confirmation[] = [];
      linked.server.confirm = (request) => asked.push(request) === 1;
      await asking(era, { elicitation: { url: {} } }).call('create_note', note);
      expect(asked).to.have.length(1);
    });

    it('write nothing when the page fails to answer', async () => {
      linked.server.confirm = () => Promise.reject(new Error('no'));
      await asking(era).failure('create_note', note);
      expect(await linked.server.store.notes.count()).to.equal(0);
    });

    it('ask nobody about reading', async () => {
      linked.server.confirm = () => {
        throw new Error('not to be asked');
      };
      const tools = asking(era);
      await tools.call('search_notes', { query: 'a' });
      await tools.call('list_resources');
    });
  });
}

describe('tools on a port that asks a modern client with elicitation', () => {
  const accept = { inputResponses: { confirm: { action: 'accept', content: {} } } };
  const decline = { inputResponses: { confirm: { action: 'decline' } } };

  const answerOf = async (tools: ToolCaller, name: string, args: object, params = {}) => {
    const id = await tools.post(name, { ...args }, params);
    return ((await tools.client.answerTo(id)) as JsonRpcResult).result;
  };

  it('ask first and write when the client calls again with a yes', async () => {
    const { notes } = linked.server.store;
    const { id } = await notes.create({ title: 'Shopping', text: 't' });
    linked.server.confirm = () => {
      throw new Error('not to be asked');
    };
    const tools = asking('modern', FORMS);
    const first = await answerOf(tools, 'delete_note', { id });
    expect(first['resultType']).to.equal('input_required');
    const { confirm } = first['inputRequests'] as { confirm: { method: string; params: object } };
    expect(confirm.method).to.equal('elicitation/create');
    const message = `Delete the note "Shopping" (note:///${id})?`;
    expect(confirm.params).to.deep.include({ message });
    expect(await notes.count()).to.equal(1);
    const { requestState } = first;
    await tools.call('delete_note', { id }, { ...accept, requestState });
    expect(await notes.count()).to.equal(0);
  });

  it('ask again when the answer is to another question, or to none', async () => {
    const { notes, files } = linked.server.store;
    const { id } = await notes.create({ title: 'Shopping', text: 't' });
    const other = await notes.create({ title: 'Other', text: 't' });
    const tools = asking('modern', FORMS);
    const { requestState } = await answerOf(tools, 'delete_note', { id: other.id });
    for (const state of [{}, { requestState }, { requestState: 'made up' }]) {
      const result = await answerOf(tools, 'delete_note', { id }, { ...accept, ...state });
      expect(result['resultType']).to.equal('input_required');
    }
    const save = { path: 'a', text: 'mine' };
    const first = await answerOf(tools, 'save_file', save);
    // What was to be a new file has come into being while the user was asked.
    await files.write('a', new Blob(['theirs']));
    const answered = { ...accept, requestState: first['requestState'] };
    const again = await answerOf(tools, 'save_file', save, answered);
    expect(again['resultType']).to.equal('input_required');
    expect(await (await files.read('a')).blob.text()).to.equal('theirs');
    expect(await notes.count()).to.equal(2);
  });

  it('write nothing when the client calls again with a no', async () => {
    const { notes } = linked.server.store;
    const { id } = await notes.create({ title: 'a', text: 't' });
    const tools = asking('modern', FORMS);
    const { requestState } = await answerOf(tools, 'delete_note', { id });
    const result = await answerOf(tools, 'delete_note', { id }, { ...decline, requestState });
    expect(result['isError']).to.equal(true);
    expect(result['content']).to.deep.equal([
      { type: 'text', text: 'Nothing was changed. The user declined.' },
    ]);
    expect(await notes.count()).to.equal(1);
  });
});

describe('tools on a port that asks a client of a revision without elicitation', () => {
  for (const revision of ['2024-11-05', '2025-03-26']) {
    it(`ask the page, whatever a client of ${revision} declares`, async () => {
      const asked: Confirmation[] = [];
      linked.server.confirm = (request) => asked.push(request) === 1;
      const client = linked.connectRaw({ write: 'ask' });
      await client.initialize(revision, FORMS);
      const call = { name: 'create_note', arguments: { title: 'a', text: 't' } };
      const answer = await client.request('tools/call', call);
      expect(answer).to.have.nested.property('result.structuredContent.title', 'a');
      expect(asked).to.have.length(1);
    });
  }
});

describe('tools on a port that asks a legacy client with elicitation', () => {
  type ServerRequest = { id: number; method: string; params: { message: string } };

  const questionTo = (tools: ToolCaller): Promise<ServerRequest> =>
    tools.client.when(() =>
      (tools.client.received as unknown as ServerRequest[]).find(
        (message) => message?.method === 'elicitation/create',
      ),
    );

  for (const [action, left] of [
    ['accept', 0],
    ['decline', 1],
    ['cancel', 1],
  ] as const) {
    it(`ask it during the call, and leave ${left} of 1 after "${action}"`, async () => {
      const { notes } = linked.server.store;
      const { id } = await notes.create({ title: 'Shopping', text: 't' });
      const tools = asking('legacy', { elicitation: {} });
      const call = tools.result('delete_note', { id });
      const question = await questionTo(tools);
      expect(question.params.message).to.equal(`Delete the note "Shopping" (note:///${id})?`);
      const result = { action, ...(action === 'accept' && { content: {} }) };
      tools.client.port.postMessage({ jsonrpc: '2.0', id: question.id, result });
      expect((await call).isError === true).to.equal(left === 1);
      expect(await notes.count()).to.equal(left);
    });
  }
});
