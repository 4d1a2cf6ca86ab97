import { expect } from '@esm-bundle/chai';
import { startRuntime, type Runtime } from '@inpage-mcp/runtime';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';
import { MODERN_META, RawClient } from '../support/raw-client.js';
import { secondOrigin } from '../support/second-origin.js';
import { ERAS, ToolCaller, type Era } from '../support/tool-caller.js';
import { openGuest, removeFrames, type Guest } from '../transport/guest-frame.js';
import { MortalWorkers } from './mortal-workers.js';

const NOTE = { title: 'x', text: '' };
const QUESTION = { tool: 'create_note', message: 'Create the note "x"?', arguments: NOTE };
const FORMS = { elicitation: { form: {} } };
const LIMITS = ['page', 'guest'] as const;

type Message = { id?: number; method?: string; result?: object };

describe('a question to the page that nobody waits for', () => {
  let databaseName: string;
  let workers: MortalWorkers;
  let runtime: Runtime;
  let signals: AbortSignal[];
  let asked: Promise<AbortSignal>;

  beforeEach(async () => {
    databaseName = freshDatabaseName();
    workers = new MortalWorkers();
    signals = [];
    let wake!: (signal: AbortSignal) => void;
    asked = new Promise((resolve) => {
      wake = resolve;
    });
    runtime = await startRuntime({
      databaseName,
      worker: workers.make,
      confirm: (_request, { signal }) => {
        signals.push(signal);
        wake(signal);
        // The answer to the second is yes.
        return signals.length > 1 || new Promise<boolean>(() => undefined);
      },
    });
  });

  afterEach(async () => {
    await runtime.close();
    await workers.deleteDatabase(databaseName);
  });

  const aborted = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });

  it('is taken back, and the next one asked', async () => {
    const raw = new RawClient(await runtime.openPort({ access: { write: 'ask' } }));
    const call = { name: 'create_note', arguments: NOTE, _meta: MODERN_META };
    const requestId = raw.post('tools/call', call);
    const first = await asked;
    raw.notify('notifications/cancelled', { requestId });
    await aborted(first);
    const answer = await raw.modern('tools/call', call);
    expect(answer).to.have.nested.property('result.structuredContent.title', 'x');
    expect(signals).to.have.length(2);
    expect(signals[1]!.aborted).to.equal(false);
  });

  const ends: [how: string, end: () => unknown][] = [
    ['its worker dies', () => workers.kill()],
    ['the runtime is closed', () => runtime.close()],
  ];
  for (const [how, end] of ends) {
    it(`is taken back when ${how}`, async () => {
      const raw = new RawClient(await runtime.openPort({ access: { write: 'ask' } }));
      raw.post('tools/call', { name: 'create_note', arguments: NOTE, _meta: MODERN_META });
      const signal = await asked;
      await Promise.all([end(), aborted(signal)]);
    });
  }
});

describe('who is asked before a connection writes', () => {
  let databaseName: string;
  let runtime: Runtime;
  let asked: unknown[];

  beforeEach(async () => {
    databaseName = freshDatabaseName();
    asked = [];
    const confirm = (request: object): boolean => asked.push(request) > 0;
    runtime = await startRuntime({ databaseName, confirm });
  });

  afterEach(async () => {
    removeFrames();
    await runtime.close();
    await deleteDatabase(databaseName);
  });

  const openFrame = async (limits: (typeof LIMITS)[number]): Promise<Guest> => {
    const access = { write: 'ask', tools: 'all' } as const;
    await runtime.serveFrames({ allowedOrigins: [secondOrigin], limits, access });
    const { guest } = await openGuest(`${secondOrigin}/test/fixtures/scenario-frame.html`);
    return guest;
  };

  for (const limits of LIMITS) {
    it(`is the page, and not a frame that answers for its user, with the limits of the ${limits}`, async () => {
      const guest = await openFrame(limits);
      await guest.do('connect', { parentOrigin: location.origin, accepts: true });
      const result = await guest.do('callTool', { name: 'create_note', args: NOTE });
      expect(result).to.have.nested.property('structuredContent.title', 'x');
      expect(await guest.do('questions')).to.deep.equal([]);
      expect(asked).to.deep.equal([{ ...QUESTION, origin: secondOrigin }]);
    });

    it(`is the page, and not a frame of the legacy era, with the limits of the ${limits}`, async () => {
      const guest = await openFrame(limits);
      await guest.do('openRaw', { parentOrigin: location.origin });
      const clientInfo = { name: 'raw', version: '1' };
      const params = { protocolVersion: '2025-11-25', capabilities: FORMS, clientInfo };
      const call = { name: 'create_note', arguments: NOTE };
      await guest.do('post', {
        all: [
          { jsonrpc: '2.0', id: 'first', method: 'initialize', params },
          { jsonrpc: '2.0', method: 'notifications/initialized' },
          { jsonrpc: '2.0', id: 'second', method: 'tools/call', params: call },
        ],
      });
      const messages = await guest.do<Message[]>('answers', { count: 2 });
      expect(messages.filter(({ method }) => method === 'elicitation/create')).to.deep.equal([]);
      expect(asked).to.deep.equal([{ ...QUESTION, origin: secondOrigin }]);
    });

    const portFor = async (era: Era, heldBy?: 'page'): Promise<ToolCaller> => {
      const port = await runtime.openPort({
        access: { write: 'ask' },
        limits,
        ...(heldBy && { heldBy }),
      });
      return new ToolCaller(new RawClient(port), era, FORMS);
    };

    for (const era of ERAS) {
      it(`is the page where it has opened a port with the limits of the ${limits}, in the ${era} era`, async () => {
        const tools = await portFor(era);
        await tools.call('create_note', NOTE);
        expect(tools.client.notifications('elicitation/create')).to.deep.equal([]);
        expect(asked).to.deep.equal([QUESTION]);
      });
    }

    it(`is who holds the port that the page keeps for itself, with the limits of the ${limits}`, async () => {
      const { client } = await portFor('modern', 'page');
      const meta = { ...MODERN_META, 'io.modelcontextprotocol/clientCapabilities': FORMS };
      const call = { name: 'create_note', arguments: NOTE, _meta: meta };
      const answer = await client.request('tools/call', call);
      expect(answer).to.have.nested.property('result.resultType', 'input_required');
      expect(asked).to.deep.equal([]);
    });

    it(`is the user of the page's own client, with the limits of the ${limits}`, async () => {
      const questions: string[] = [];
      const client = await runtime.connect({
        access: { write: 'ask' },
        limits,
        elicit({ message }) {
          questions.push(message);
          return { action: 'accept', content: {} };
        },
      });
      await client.callTool('create_note', NOTE);
      expect(questions).to.deep.equal([QUESTION.message]);
      expect(asked).to.deep.equal([]);
    });

    it(`is reported to nobody else: a guest with the limits of the ${limits} sees its own requests alone`, async () => {
      const page = await runtime.connect();
      await page.listResources();
      const port = await runtime.openPort({ limits });
      const raw = new RawClient(port);
      await raw.modern('server/discover');
      const answer = await raw.modern('resources/read', { uri: 'inpage:///activity' });
      const { contents } = (answer as never as { result: { contents: { text: string }[] } }).result;
      const { entries } = JSON.parse(contents[0]!.text) as { entries: { connection: number }[] };
      expect(new Set(entries.map(({ connection }) => connection)).size).to.equal(1);
    });
  }
});
