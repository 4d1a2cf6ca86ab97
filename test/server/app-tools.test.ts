import { expect } from '@esm-bundle/chai';
import {
  acceptedContent,
  createRequestStateCodec,
  defineTool,
  inputRequired,
  ProtocolError,
  ToolError,
  UrlElicitationRequiredError,
  type Feature,
  type ServerOptions,
} from '@inpage-mcp/server';
import { deleteDatabase } from '../support/database.js';
import { openLinkedServer, type LinkedServer } from '../support/linked-server.js';
import { RawClient } from '../support/raw-client.js';
import { errorOf, resultOf } from '../support/revisions.js';
import { ERAS, ToolCaller, type Era } from '../support/tool-caller.js';

const FORMS = { elicitation: { form: {}, url: {} } };
const NOTE = { title: 'a', text: 't' };

let linked: LinkedServer;

async function open(options: Partial<ServerOptions>): Promise<void> {
  linked = await openLinkedServer(undefined, options);
}

function caller(era: Era, access = {}): ToolCaller {
  return new ToolCaller(linked.connectRaw(access), era, FORMS);
}

afterEach(async () => {
  await linked.server.close();
  await deleteDatabase(linked.databaseName);
});

describe('what a tool of an app throws', () => {
  const elicitation = {
    mode: 'url',
    message: 'Sign in.',
    url: 'https://app.example/sign-in',
    elicitationId: 'e1',
  } as const;
  const errors: { [name: string]: Error } = {
    protocol: new ProtocolError(-32010, 'Not today.', { until: 'tomorrow' }),
    url: new UrlElicitationRequiredError([elicitation], 'Sign in first.'),
    tool: new ToolError('There is no such city.'),
    other: new Error('at /secret/path.js'),
  };

  /** Those that throw at once, and those that are listed with a schema of what they never give. */
  const configure: Feature = (server) => {
    for (const [name, error] of Object.entries(errors)) {
      const fail = (): never => {
        throw error;
      };
      const output = { type: 'object', properties: {}, additionalProperties: false } as const;
      server.addTool(defineTool({ name, run: fail }));
      server.addTool(defineTool({ name: `later_${name}`, output, run: async () => fail() }));
    }
  };

  for (const era of ERAS) {
    for (const prefix of ['', 'later_']) {
      it(`goes out as it is where it is an error of the protocol (${prefix}${era})`, async () => {
        await open({ configure });
        const answer = await caller(era).request('tools/call', { name: `${prefix}protocol` });
        expect(errorOf(answer)).to.deep.equal({
          code: -32010,
          message: 'Not today.',
          data: { until: 'tomorrow' },
        });
      });

      it(`is for the model where it is an error of the tool (${prefix}${era})`, async () => {
        const reports: unknown[] = [];
        await open({ configure, onerror: (error) => reports.push(error) });
        const tools = caller(era);
        expect(await tools.failure(`${prefix}tool`)).to.equal('There is no such city.');
        expect(await tools.failure(`${prefix}other`)).to.equal('Internal error');
        expect(reports).to.deep.equal([errors['other']]);
      });
    }
  }

  it('says that the modern era asks for an address in another way', async () => {
    await open({ configure });
    const error = errorOf(await caller('modern').request('tools/call', { name: 'url' }));
    expect(error.code).to.equal(-32603);
    expect(error.message).to.contain('inputRequired');
  });
});

describe('a state that the client of an app brings back', () => {
  const codec = createRequestStateCodec<{ step: number }>({ key: new Uint8Array(32).fill(7) });
  const seen: unknown[] = [];

  const steps = defineTool({
    name: 'steps',
    input: { type: 'object', properties: { city: { type: 'string' } } },
    async run(_input, call) {
      const { inputResponses, requestState } = call;
      seen.push(requestState);
      const name = acceptedContent(inputResponses, 'name');
      if (requestState && name) return `Hello, ${String(name['name'])}!`;
      const requestedSchema = {
        type: 'object' as const,
        properties: { name: { type: 'string' as const } },
      };
      return inputRequired({
        inputRequests: { name: inputRequired.elicit({ message: 'Who?', requestedSchema }) },
        requestState: await codec.mint({ step: 1 }, call),
      });
    },
  });

  const writes = defineTool({
    name: 'writes',
    question(_input, { requestState }) {
      seen.push(requestState);
      return 'Write?';
    },
    run(_input, { requestState }) {
      seen.push(requestState);
      return 'written';
    },
  });

  const configure: Feature = (server) => {
    server.addTool(steps);
    server.addTool(writes);
  };

  beforeEach(async () => {
    seen.length = 0;
    await open({ configure, requestState: { verify: codec.verify } });
  });

  const answers = { inputResponses: { name: { action: 'accept', content: { name: 'Ann' } } } };
  const yes = { inputResponses: { confirm: { action: 'accept', content: {} } } };

  const call = async (tools: ToolCaller, name: string, args: object, params = {}) =>
    await tools.client.answerTo(await tools.post(name, { ...args }, params));

  it('is verified, and read as what it was made of', async () => {
    const tools = caller('modern');
    const { requestState } = resultOf(await call(tools, 'steps', {}));
    const result = await tools.result('steps', {}, { ...answers, requestState });
    expect(result.content).to.deep.equal([{ type: 'text', text: 'Hello, Ann!' }]);
    expect(seen).to.deep.equal([undefined, { step: 1 }]);
  });

  it('is refused where it is not what was given out, before the tool sees it', async () => {
    const tools = caller('modern');
    const { requestState } = resultOf(await call(tools, 'steps', {}));
    const tampered = [`${requestState as string}x`, 'x', '', btoa('{"step":1}')];
    for (const state of tampered) {
      const answer = await call(tools, 'steps', {}, { ...answers, requestState: state });
      expect(errorOf(answer)).to.deep.equal({
        code: -32602,
        message: 'Invalid or expired requestState',
        data: { reason: 'invalid_request_state' },
      });
    }
    expect(seen).to.deep.equal([undefined]);
  });

  it('does not get by as one of the questions of the server', async () => {
    const tools = caller('modern', { write: 'ask' });
    const first = resultOf(await call(tools, 'create_note', NOTE));
    const { requestState } = first;
    const again = resultOf(await call(tools, 'steps', {}, { ...answers, requestState }));
    expect(again['resultType']).to.equal('input_required');
    expect(seen).to.deep.equal([undefined]);
  });

  it('leaves the questions of the server alone', async () => {
    const tools = caller('modern', { write: 'ask' });
    for (const [name, args] of [
      ['create_note', NOTE],
      ['writes', {}],
    ] as const) {
      const { requestState } = resultOf(await call(tools, name, args));
      expect(requestState).to.be.a('string');
      const result = await tools.result(name, { ...args }, { ...yes, requestState });
      expect(result.isError).not.to.equal(true);
    }
    expect(seen.length).to.be.at.least(2);
    expect(new Set(seen)).to.deep.equal(new Set([undefined]));
    expect(await linked.server.store.notes.count()).to.equal(1);
  });

  it('is kept by the server for a legacy client, which is asked during the call', async () => {
    const tools = caller('legacy');
    const id = await tools.post('steps', {});
    const { client } = tools;
    const question = (await client.when(() =>
      (client.received as unknown as { id: number; method: string }[]).find(
        ({ method }) => method === 'elicitation/create',
      ),
    ))!;
    const result = { action: 'accept', content: { name: 'Ann' } };
    client.port.postMessage({ jsonrpc: '2.0', id: question.id, result });
    expect(resultOf(await client.answerTo(id))['content']).to.deep.equal([
      { type: 'text', text: 'Hello, Ann!' },
    ]);
    expect(seen).to.deep.equal([undefined, { step: 1 }]);
  });

  it('may be asked for so often by a legacy client, and no more', async () => {
    await linked.server.close();
    await deleteDatabase(linked.databaseName);
    await open({
      inputRequired: { maxRounds: 1 },
      configure: (server) =>
        server.addTool(
          defineTool({ name: 'endless', run: () => inputRequired({ requestState: 'again' }) }),
        ),
    });
    expect(await caller('legacy').failure('endless')).to.match(/1 round|rounds/);
  });
});

describe('links in results of tools', () => {
  const isLink = ({ type }: { type: string }): boolean => type === 'resource_link';

  const typesOn = async (era: Era, resourceLinks?: boolean): Promise<string[]> => {
    const { port1, port2 } = new MessageChannel();
    const given = resourceLinks === undefined ? {} : { resourceLinks };
    linked.server.servePort(port2, { heldBy: 'page', ...given });
    const tools = new ToolCaller(new RawClient(port1), era);
    const results = [
      await tools.call('create_note', NOTE),
      await tools.call('save_file', { path: 'a.txt', text: 'a' }),
      await tools.call('move_file', { from: 'a.txt', to: 'b.txt' }),
      await tools.call('delete_file', { path: 'b.txt' }),
      await tools.call('search_notes', { query: 'a' }),
      await tools.call('search_files', { query: 'a' }),
      await tools.call('list_resources'),
    ];
    return results.map(({ content }) =>
      content.map((block) => (isLink(block) ? 'l' : 't')).join(''),
    );
  };

  for (const era of ERAS) {
    it(`lead to what was written, and repeat no list, in the ${era} era`, async () => {
      await open({});
      expect(await typesOn(era)).to.deep.equal(['tl', 'tl', 'tl', 't', 't', 't', 't']);
    });

    it(`are left out where the port was opened so, in the ${era} era`, async () => {
      await open({});
      expect(new Set(await typesOn(era, false))).to.deep.equal(new Set(['t']));
    });

    it(`are left out where the app says so, in the ${era} era`, async () => {
      await open({ resourceLinks: false });
      expect(new Set(await typesOn(era, true))).to.deep.equal(new Set(['t']));
    });
  }

  it('do not make the list of a thousand resources longer than what it says', async () => {
    await open({});
    const notes = Array.from({ length: 1_000 }, (_, n) => ({ title: `Note ${n}`, text: 'text' }));
    await linked.server.store.notes.createAll(notes);
    const result = await caller('modern').call('list_resources');
    const once = JSON.stringify(result.structuredContent).length;
    // As data, and as text for clients that know no data (Tools › Structured Content).
    expect(JSON.stringify(result).length).to.be.below(3 * once);
  });
});
