import { expect } from '@esm-bundle/chai';
import {
  defineTool,
  files,
  MAX_ACCESS_URIS,
  notes,
  runtimeResources,
  type Access,
  type ProviderCall,
  type ResourceProvider,
} from '@inpage-mcp/server';
import { deleteDatabase } from '../support/database.js';
import { failureOf } from '../support/failure.js';
import { openLinkedServer, type LinkedServer } from '../support/linked-server.js';
import { ERA_REVISIONS, errorOf, resultOf, speaking, type Speak } from '../support/revisions.js';
import { MODERN_META, RawClient } from '../support/raw-client.js';
import { ToolCaller } from '../support/tool-caller.js';
import { eventually } from '../support/within.js';

const ABSENT_NOTE = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

/** Lists more than it should, and answers for everything: what it is asked is what gets through. */
function ownProvider(asked: string[]): ResourceProvider {
  return {
    name: 'own',
    templates: [{ uriTemplate: 'app:{view}', name: 'view' }],
    list: async () => ({
      resources: ['app:one', 'app:two'].map((uri) => ({ uri, name: uri })),
    }),
    async read(uri) {
      asked.push(uri);
      return uri.startsWith('app:') ? [{ uri, text: uri }] : undefined;
    },
    complete: async () => ({ values: ['one', 'two'], total: 2 }),
    listen: () => () => undefined,
  };
}

describe('access', () => {
  let linked: LinkedServer;
  let asked: string[];
  let ids: { [title: string]: string };

  beforeEach(async () => {
    asked = [];
    linked = await openLinkedServer(undefined, {
      providers: [notes(), files(), runtimeResources(), ownProvider(asked)],
    });
    const { store } = linked.server;
    ids = {};
    for (const title of ['open', 'secret']) {
      ids[title] = (await store.notes.create({ title, text: `${title} words`, tags: [title] })).id;
    }
    for (const path of ['open/a.txt', 'open/b/c.txt', 'secret/d.txt', 'opens.txt', 'e.png']) {
      await store.files.write(path, new Blob([`${path} content`]));
    }
  });

  afterEach(async () => {
    await linked.server.close();
    await deleteDatabase(linked.databaseName);
  });

  /** The addresses of everything that is listed. */
  async function listed(speak: Speak): Promise<string[]> {
    const { resources } = resultOf(await speak('resources/list'));
    return (resources as { uri: string }[]).map(({ uri }) => uri);
  }

  for (const revision of ERA_REVISIONS) {
    describe(`to a part of the resources, in ${revision}`, () => {
      const open = (read: Access['read'], rest: Access = {}): Promise<Speak> =>
        speaking(linked.connectRaw({ read: read!, ...rest }), revision);

      it('lists a folder, single addresses and what begins like one', async () => {
        const speak = await open(['file:///open/', `note:///${ids['open']}`, 'app:two']);
        expect(await listed(speak)).to.eql([
          `note:///${ids['open']}`,
          'file:///open/',
          'file:///open/a.txt',
          'file:///open/b/',
          'file:///open/b/c.txt',
          'app:two',
        ]);
        expect(await listed(await open(['note:']))).to.have.length(2);
        expect(await listed(await open(['inpage:///storage']))).to.eql(['inpage:///storage']);
        expect(await listed(await open([]))).to.eql([]);
      });

      it('answers what is outside like what does not exist, and looks nothing up', async () => {
        const speak = await open(['file:///open/', `note:///${ids['open']}`, 'app:two']);
        const inside = ['file:///open/a.txt', 'file:///open/', `note:///${ids['open']}`, 'app:two'];
        for (const uri of inside) resultOf(await speak('resources/read', { uri }));
        asked.length = 0;
        const pairs = [
          [`note:///${ids['secret']}`, `note:///${ABSENT_NOTE}`],
          ['file:///secret/d.txt', 'file:///secret/none.txt'],
          ['file:///secret/', 'file:///none/'],
          ['file:///opens.txt', 'file:///openz.txt'],
          ['note:///search?q=words', 'note:///search?'],
          ['inpage:///activity', 'inpage:///none'],
          ['app:one', 'app:none'],
          ['app:two/', 'app:two?'],
        ] as const;
        const whole = await open('all');
        for (const [outside, absent] of pairs) {
          const denied = errorOf(await speak('resources/read', { uri: outside }));
          const missing = errorOf(await speak('resources/read', { uri: absent }));
          expect(denied.data).to.eql({ uri: outside });
          expect({ ...denied, data: 0 }).to.eql({ ...missing, data: 0 });
          const reallyMissing = 'note:///none';
          const real = errorOf(await whole('resources/read', { uri: reallyMissing }));
          expect({ ...denied, data: 0 }).to.eql({ ...real, data: 0 });
        }
        expect(new Set(asked)).to.eql(new Set(['note:///none']));
      });

      it('lists only templates that can lead to something', async () => {
        const templates = async (...read: string[]): Promise<string[]> => {
          const speak = await open(read);
          const { resourceTemplates } = resultOf(await speak('resources/templates/list'));
          return (resourceTemplates as { uriTemplate: string }[]).map((one) => one.uriTemplate);
        };
        expect(await templates('file:///open/')).to.eql(['file:///{+path}', 'file:///{+folder}/']);
        expect(await templates(`note:///${ids['open']}`)).to.eql(['note:///{id}']);
        expect(await templates('note:///')).to.eql(['note:///{id}', 'note:///search{?q}']);
        expect(await templates('app:two')).to.eql(['app:{view}']);
        expect(await templates('inpage:///')).to.eql([]);
      });

      it('completes only to what may be read, and counts no more', async () => {
        const speak = await open(['file:///open/', `note:///${ids['open']}`, 'app:two']);
        const complete = async (uri: string, name: string, value: string): Promise<unknown> => {
          const ref = { type: 'ref/resource', uri };
          const answer = await speak('completion/complete', { ref, argument: { name, value } });
          return resultOf(answer)['completion'];
        };
        const only = (...values: string[]) => ({ values, total: values.length, hasMore: false });
        expect(await complete('note:///{id}', 'id', '')).to.eql(only(ids['open']!));
        expect(await complete('note:///{id}', 'id', 'secret')).to.eql(only());
        expect(await complete('file:///{+path}', 'path', '')).to.eql(only('open/'));
        expect(await complete('file:///{+path}', 'path', 'secret/')).to.eql(only());
        expect(await complete('file:///{+folder}/', 'folder', 'open/')).to.eql(only('open/b'));
        expect(await complete('app:{view}', 'view', '')).to.eql(only('two'));
        const hidden = { type: 'ref/resource', uri: 'note:///search{?q}' };
        const none = { type: 'ref/resource', uri: 'note:///none{?q}' };
        const argument = { name: 'q', value: 'sec' };
        expect(errorOf(await speak('completion/complete', { ref: hidden, argument }))).to.eql(
          errorOf(await speak('completion/complete', { ref: none, argument })),
        );
      });
    });
  }

  describe('to a part, in tools and prompts', () => {
    const access: Access = { read: ['file:///open/', 'note:///'] };
    const open = (read: Access = access): ToolCaller =>
      new ToolCaller(linked.connectRaw(read), 'modern');

    it('finds, reads and changes only what may be read', async () => {
      const tools = open({ read: [`note:///${ids['open']}`, 'file:///open/'] });
      const found = await tools.call('search_notes', { query: 'words' });
      expect(found.structuredContent).to.have.property('total', 1);
      const all = await tools.call('list_resources');
      expect(JSON.stringify(all)).not.to.contain('secret');
      for (const [name, args] of [
        ['read_resource', { uri: `note:///${ids['secret']}` }],
        ['read_resource', { uri: 'file:///secret/d.txt' }],
        ['update_note', { id: ids['secret'], title: 'x' }],
        ['append_to_note', { id: ids['secret'], text: 'x' }],
        ['delete_note', { id: ids['secret'] }],
        ['delete_file', { path: 'secret/d.txt' }],
        ['move_file', { from: 'secret/d.txt', to: 'open/d.txt' }],
      ] as const) {
        const message = await tools.failure(name, args);
        const absent = JSON.parse(
          JSON.stringify(args).replaceAll(ids['secret']!, ABSENT_NOTE).replace('d.txt', 'z.txt'),
        ) as object;
        const missing = await tools.failure(name, { ...absent });
        expect(
          message.replaceAll(ids['secret']!, ABSENT_NOTE).replaceAll('d.txt', 'z.txt'),
          name,
        ).to.equal(missing);
      }
      const { store } = linked.server;
      expect(await store.notes.get(ids['secret']!)).to.include({ revision: 1 });
      expect(await store.files.get('secret/d.txt')).to.include({ revision: 1 });
    });

    it('writes nothing outside, and does not reveal what is there', async () => {
      const tools = open({ read: ['file:///open/'] });
      const create = { name: 'create_note', arguments: { title: 'x', text: 'x' } };
      expect(errorOf(await tools.request('tools/call', create)).code).to.equal(-32602);
      const there = await tools.failure('save_file', { path: 'secret/d.txt', text: 'x' });
      const notThere = await tools.failure('save_file', { path: 'secret/z.txt', text: 'x' });
      expect(there.replace('d.txt', 'z.txt')).to.equal(notThere);
      await tools.failure('move_file', { from: 'open/a.txt', to: 'secret/d.txt', overwrite: true });
      await tools.call('save_file', { path: 'open/new.txt', text: 'x' });
      expect(await linked.server.store.files.count()).to.equal(6);
      expect(await linked.server.store.notes.count()).to.equal(2);
    });

    it('asks the user about nothing outside', async () => {
      const questions: string[] = [];
      linked.server.confirm = ({ message }) => questions.push(message) > 0;
      const tools = open({ read: [`note:///${ids['open']}`], write: 'ask' });
      await tools.failure('delete_note', { id: ids['secret'] });
      await tools.failure('delete_note', { id: ids['secret'], idempotencyKey: 'k' });
      expect(questions.join()).not.to.contain('secret');
      expect(await linked.server.store.notes.count()).to.equal(2);
    });

    it('puts only what may be read into prompts and their completions', async () => {
      const client = linked.connectRaw({ read: [`note:///${ids['open']}`] });
      const answer = await client.modern('prompts/get', {
        name: 'answer_from_notes',
        arguments: { question: 'words' },
      });
      expect(JSON.stringify(resultOf(answer))).not.to.contain('secret');
      const named = (note: string) =>
        client.modern('prompts/get', { name: 'summarize_note', arguments: { note } });
      resultOf(await named('open'));
      const denied = errorOf(await named('secret'));
      const missing = errorOf(await named('nosuch'));
      expect(denied.message.replace('secret', 'nosuch')).to.equal(missing.message);
      const completed = async (name: string, value: string, prompt: string): Promise<unknown> => {
        const ref = { type: 'ref/prompt', name: prompt };
        const params = { ref, argument: { name, value } };
        return resultOf(await client.modern('completion/complete', params))['completion'];
      };
      const none = { values: [], total: 0, hasMore: false };
      expect(await completed('note', 'secret', 'summarize_note')).to.eql(none);
      expect(await completed('tag', 's', 'answer_from_notes')).to.eql(none);
      expect(await completed('path', 'e.png', 'describe_image')).to.eql(none);
    });
  });

  describe('to tools and prompts', () => {
    for (const revision of ERA_REVISIONS) {
      it(`by name, or none, in ${revision}`, async () => {
        const speak = await speaking(
          linked.connectRaw({ tools: ['search_notes', 'create_note'], prompts: 'none' }),
          revision,
        );
        const { tools } = resultOf(await speak('tools/list'));
        expect((tools as { name: string }[]).map(({ name }) => name)).to.have.members([
          'search_notes',
          'create_note',
        ]);
        expect(resultOf(await speak('prompts/list'))['prompts']).to.eql([]);
        const call = async (method: string, name: string): Promise<string> => {
          const error = errorOf(await speak(method, { name, arguments: {} }));
          expect(error.code).to.equal(-32602);
          return JSON.stringify(error).replaceAll(name, 'X');
        };
        expect(await call('tools/call', 'delete_note')).to.equal(
          await call('tools/call', 'nosuch'),
        );
        expect(await call('prompts/get', 'summarize_note')).to.equal(
          await call('prompts/get', 'nosuch'),
        );
        const completing = async (name: string): Promise<string> => {
          const ref = { type: 'ref/prompt', name };
          const params = { ref, argument: { name: 'note', value: '' } };
          return JSON.stringify(errorOf(await speak('completion/complete', params))).replaceAll(
            name,
            'X',
          );
        };
        expect(await completing('summarize_note')).to.equal(await completing('nosuch'));
      });
    }

    for (const revision of ERA_REVISIONS) {
      it(`offers only tools that can write something inside, in ${revision}`, async () => {
        const note = `note:///${ids['open']}`;
        const ofNotes = ['update_note', 'append_to_note', 'delete_note'];
        const ofFiles = ['save_file', 'move_file', 'delete_file'];
        for (const [read, writing] of [
          ['all', ['create_note', ...ofNotes, ...ofFiles]],
          [['note:///'], ['create_note', ...ofNotes]],
          [['file:///'], ofFiles],
          [
            [note, 'file:///open/'],
            [...ofNotes, ...ofFiles],
          ],
          [
            [note, 'file:///e.png'],
            [...ofNotes, 'save_file', 'delete_file'],
          ],
          [['file:///e.png', 'file:///opens.txt'], ofFiles],
          [['note:///search?', 'app:', 'inpage:///'], []],
          [[], []],
        ] as const) {
          const speak = await speaking(linked.connectRaw({ read }), revision);
          const { tools } = resultOf(await speak('tools/list'));
          const reading = ['search_notes', 'search_files', 'list_resources', 'read_resource'];
          expect((tools as { name: string }[]).map(({ name }) => name)).to.have.members([
            ...reading,
            ...writing,
          ]);
        }
      });
    }

    it('hides every tool that does not say it only reads from who may not write', async () => {
      const own = await openLinkedServer(undefined, {
        configure(server) {
          const run = () => ({ content: [] });
          const reading = { annotations: { readOnlyHint: true } };
          const writing = { annotations: { readOnlyHint: false } };
          server.addTool(defineTool({ name: 'looks', ...reading, run }));
          server.addTool(defineTool({ name: 'says_nothing', run }));
          server.addTool(defineTool({ name: 'writes', ...writing, run }));
        },
      });
      const tools = new ToolCaller(own.connectRaw({ write: 'deny' }), 'modern');
      const names = (await tools.tools()).map(({ name }) => name);
      expect(names).to.include('looks').and.not.include('says_nothing').and.not.include('writes');
      const called = await own
        .connectRaw({ write: 'deny' })
        .modern('tools/call', { name: 'says_nothing', arguments: {} });
      expect(errorOf(called).code).to.equal(-32602);
      await own.server.close();
      await deleteDatabase(own.databaseName);
    });
  });

  describe('of subscribers', () => {
    it('lets them subscribe to anything, and notifies them of nothing that is outside', async () => {
      const { store } = linked.server;
      for (const revision of ['2026-07-28', '2025-11-25'] as const) {
        const client = linked.connectRaw({ read: ['file:///open/', `note:///${ids['open']}`] });
        const speak = await speaking(client, revision);
        const uris = ['file:///open/a.txt', 'file:///secret/d.txt', `note:///${ids['secret']}`];
        if (revision === '2026-07-28') {
          const notifications = { resourceSubscriptions: uris, resourcesListChanged: true };
          void speak('subscriptions/listen', { notifications });
          await client.when(
            () => client.notifications('notifications/subscriptions/acknowledged')[0],
          );
        } else {
          for (const uri of uris) resultOf(await speak('resources/subscribe', { uri }));
        }
        await store.files.write('secret/d.txt', new Blob(['new']));
        await store.files.write(`secret/${revision}.txt`, new Blob(['new']));
        await store.notes.update(ids['secret']!, { title: `secret ${revision}` });
        await store.files.write('open/a.txt', new Blob([`new ${revision}`]));
        const updated = (): unknown[] =>
          client
            .notifications('notifications/resources/updated')
            .map(({ params }) => params?.['uri']);
        await client.when(() => updated().length > 0);
        expect(updated()).to.eql(['file:///open/a.txt']);
        expect(client.notifications('notifications/resources/list_changed')).to.eql([]);
      }
    });

    it('hides searches over everything from who sees a part', async () => {
      const client = linked.connectRaw({ read: ['note:///search?', `note:///${ids['open']}`] });
      const uri = 'note:///search?q=words';
      const found = resultOf(await client.modern('resources/read', { uri }));
      expect(JSON.stringify(found)).to.contain('open words').and.not.contain('secret');
      void client.modern('subscriptions/listen', {
        notifications: { resourceSubscriptions: [uri] },
      });
      await client.when(() => client.notifications('notifications/subscriptions/acknowledged')[0]);
      await linked.server.store.notes.update(ids['secret']!, { text: 'other words' });
      await linked.server.store.notes.update(ids['open']!, { text: 'other words' });
      await client.when(() => client.notifications('notifications/resources/updated')[0]);
      expect(client.notifications('notifications/resources/updated')).to.have.length(1);
    });
  });

  describe('and what the page provides', () => {
    const description = (uri: string) => ({ uri, name: uri });

    it('lists, counts and announces only what may be read', async () => {
      const { provided } = linked.server;
      for (let number = 0; number < 250; number += 1) {
        provided.add(description(`view:secret/${number}`), () => 'secret');
      }
      provided.add(description('view:open/1'), () => 'open');
      const client = linked.connectRaw({ read: ['view:open/'] });
      const { resources, nextCursor } = resultOf(await client.modern('resources/list'));
      expect((resources as { uri: string }[]).map(({ uri }) => uri)).to.eql(['view:open/1']);
      expect(nextCursor).to.equal(undefined);
      void client.modern('subscriptions/listen', { notifications: { resourcesListChanged: true } });
      await client.when(() => client.notifications('notifications/subscriptions/acknowledged')[0]);
      provided.add(description('view:secret/more'), () => 'secret');
      await client.modern('server/discover');
      expect(client.notifications('notifications/resources/list_changed')).to.eql([]);
    });

    it('gives no content of another address along with one that may be read', async () => {
      const own = await openLinkedServer(undefined, {
        providers: [
          {
            name: 'bundle',
            templates: [],
            list: async ({ after }) =>
              after === undefined
                ? { resources: [{ uri: 'app:secret', name: 's' }], next: '1' }
                : { resources: [{ uri: 'app:bundle', name: 'b' }] },
            read: async (uri) => [
              { uri, text: 'index' },
              { uri: 'app:secret', text: 'secret' },
              { uri: 'app:open', text: 'open' },
            ],
            listen: () => () => undefined,
          },
        ],
      });
      const client = own.connectRaw({ read: ['app:bundle', 'app:open'] });
      const read = resultOf(await client.modern('resources/read', { uri: 'app:bundle' }));
      expect((read['contents'] as { text: string }[]).map(({ text }) => text)).to.eql([
        'index',
        'open',
      ]);
      const listing = resultOf(await client.modern('resources/list'));
      expect(listing['resources']).to.eql([{ uri: 'app:bundle', name: 'b' }]);
      await own.server.close();
      await deleteDatabase(own.databaseName);
    });
  });

  describe('of a guest', () => {
    const guest = (access: Access, holder?: string): ToolCaller => {
      const { port1, port2 } = new MessageChannel();
      linked.server.servePort(port2, { access, limits: 'guest', ...(holder && { holder }) });
      return new ToolCaller(new RawClient(port1), 'modern', { elicitation: { form: {} } });
    };

    it('that has to ask asks the page, and not itself', async () => {
      const tools = guest({ write: 'ask' });
      expect(await tools.failure('create_note', { title: 'x', text: '' })).to.contain('not asked');
      linked.server.confirm = () => true;
      await tools.call('create_note', { title: 'x', text: '' });
      expect(await linked.server.store.notes.count()).to.equal(3);
    });

    it('reports to the page whose question it is', async () => {
      const asked: unknown[] = [];
      linked.server.confirm = (request) => asked.push(request) > 0;
      const note = { title: 'x', text: '' };
      await guest({ write: 'ask' }, 'https://one.example').call('create_note', note);
      await guest({ write: 'ask' }).call('create_note', note);
      const message = 'Create the note "x"?';
      const question = { tool: 'create_note', message, arguments: note };
      expect(asked).to.eql([{ ...question, origin: 'https://one.example' }, question]);
    });

    it('gives the user peace after three noes in a row', async () => {
      const answers = [false, false, true, false, false, false, true];
      let asked = 0;
      linked.server.confirm = () => answers[asked++]!;
      const tools = guest({ write: 'ask' });
      const note = { title: 'x', text: '' };
      for (const answer of answers.slice(0, 6)) {
        await (answer ? tools.call('create_note', note) : tools.failure('create_note', note));
      }
      await tools.failure('create_note', note);
      expect(asked).to.equal(6);
    });

    it('is left in peace on all its connections, and others are not', async () => {
      let asked = 0;
      linked.server.confirm = () => ++asked > 3;
      const note = { title: 'x', text: '' };
      for (let refusal = 0; refusal < 4; refusal += 1) {
        await guest({ write: 'ask' }, 'https://one.example').failure('create_note', note);
      }
      expect(asked).to.equal(3);
      await guest({ write: 'ask' }, 'https://two.example').call('create_note', note);
      expect(asked).to.equal(4);
    });

    /** The questions that the page is asked, one after the other, each with what answers it. */
    const questionsOf = (): (() => Promise<{
      answer: (is: boolean) => void;
      signal: AbortSignal;
    }>) => {
      type Question = { answer: (is: boolean) => void; signal: AbortSignal };
      const asked: Question[] = [];
      let wake = (): void => undefined;
      linked.server.confirm = (_request, { signal }) =>
        new Promise((answer) => {
          asked.push({ answer, signal });
          wake();
        });
      return async () => {
        if (asked.length === 0) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        return asked.shift()!;
      };
    };
    const call = { name: 'create_note', arguments: { title: 'x', text: '' } };

    for (const heldBy of ['guest', 'page'] as const) {
      it(`is asked the next question when nobody waits for the one before (${heldBy})`, async () => {
        const nextQuestion = questionsOf();
        const { port1, port2 } = new MessageChannel();
        linked.server.servePort(port2, { access: { write: 'ask' }, heldBy });
        const client = new RawClient(port1);
        const cancelled = client.post('tools/call', { ...call, _meta: MODERN_META });
        const first = await nextQuestion();
        const next = client.modern('tools/call', call);
        await client.modern('server/discover');
        expect(first.signal.aborted).to.equal(false);
        client.notify('notifications/cancelled', { requestId: cancelled });
        const second = await nextQuestion();
        expect(first.signal.aborted).to.equal(true);
        expect(second.signal.aborted).to.equal(false);
        // Too late, and for what nobody asks any more.
        first.answer(true);
        second.answer(true);
        resultOf(await next);
        expect(second.signal.aborted).to.equal(false);
        expect(await linked.server.store.notes.count()).to.equal(3);
      });
    }

    it('takes its question back when its connection ends', async () => {
      const nextQuestion = questionsOf();
      const client = linked.connectRaw({ write: 'ask' }, 'guest');
      client.post('tools/call', { ...call, _meta: MODERN_META });
      const { signal } = await nextQuestion();
      const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
      client.port.postMessage(null);
      await aborted;
    });

    it('is left alone when it takes its questions back again and again', async () => {
      const nextQuestion = questionsOf();
      const client = linked.connectRaw({ write: 'ask' }, 'guest');
      for (let turn = 0; turn < 3; turn += 1) {
        const requestId = client.post('tools/call', { ...call, _meta: MODERN_META });
        await nextQuestion();
        client.notify('notifications/cancelled', { requestId });
      }
      const refused = resultOf(await client.modern('tools/call', call));
      expect(refused['isError']).to.equal(true);
      expect(await linked.server.store.notes.count()).to.equal(2);
    });

    it('asks one question at a time', async () => {
      const open: (() => void)[] = [];
      linked.server.confirm = () => new Promise((resolve) => open.push(() => resolve(true)));
      const tools = guest({ write: 'ask' });
      const calls = ['a', 'b', 'c'].map((title) => tools.call('create_note', { title, text: '' }));
      for (const call of calls) {
        await eventually(() => open.length > 0);
        expect(open).to.have.length(1);
        open.shift()!();
        await call;
      }
    });

    it('neither learns nor takes the idempotency keys of others', async () => {
      const key = { idempotencyKey: 'note-1' };
      const write = (tools: ToolCaller, title: string) =>
        tools.call('create_note', { title, text: '', ...key });
      const page = new ToolCaller(linked.connectRaw(), 'modern');
      const [one, two] = [guest({}, 'https://one.example'), guest({}, 'https://two.example')];
      const again = guest({}, 'https://one.example');
      const ids = [];
      for (const [tools, title] of [
        [one, 'by one'],
        [page, 'by the page'],
        [two, 'by two'],
        [again, 'by one'],
      ] as const) {
        const { structuredContent } = await write(tools, title);
        ids.push((structuredContent as { id: string }).id);
      }
      expect(new Set(ids.slice(0, 3))).to.have.property('size', 3);
      expect(ids[3]).to.equal(ids[0]);
      const conflict = await again.failure('create_note', { title: 'other', text: '', ...key });
      expect(conflict).not.to.contain('https:');
    });
  });

  describe('and the live resources', () => {
    const entriesOf = async (client: ReturnType<LinkedServer['connectRaw']>) => {
      const answer = await client.modern('resources/read', { uri: 'inpage:///activity' });
      const [{ text }] = resultOf(answer)['contents'] as [{ text: string }];
      return (JSON.parse(text) as { entries: { uri?: string; outcome: string }[] }).entries;
    };

    it('counts what may be read', async () => {
      const client = linked.connectRaw({ read: ['inpage:///storage', 'file:///open/'] });
      const answer = await client.modern('resources/read', { uri: 'inpage:///storage' });
      const [{ text }] = resultOf(answer)['contents'] as [{ text: string }];
      expect(JSON.parse(text)).to.include({ notes: 0, files: 2 });
    });

    it('shows a part, and a guest, only their own requests', async () => {
      const page = linked.connectRaw();
      await page.modern('resources/read', { uri: `note:///${ids['secret']}` });
      const part = linked.connectRaw({ read: ['inpage:///'] });
      const guest = linked.connectRaw({}, 'guest');
      for (const client of [part, guest]) {
        await client.modern('resources/read', { uri: 'note:///mine' });
        const entries = await entriesOf(client);
        expect(entries.map(({ uri }) => uri)).to.include('note:///mine');
        expect(JSON.stringify(entries)).not.to.contain(ids['secret']).and.not.contain('denied');
      }
      const all = await entriesOf(page);
      expect(all.map(({ uri }) => uri)).to.include('note:///mine');
      expect(all.map(({ uri }) => uri)).to.include(`note:///${ids['secret']}`);
    });
  });

  it('writes into the log what was refused', async () => {
    const read = ['file:///open/', `note:///${ids['open']}`];
    const client = linked.connectRaw({ read, tools: ['update_note'] });
    await client.modern('resources/read', { uri: 'file:///secret/d.txt' });
    await client.modern('resources/read', { uri: 'file:///open/none.txt' });
    await client.modern('tools/call', { name: 'delete_note', arguments: {} });
    await client.modern('tools/call', {
      name: 'update_note',
      arguments: { id: ids['secret'], title: 'x' },
    });
    const entries = linked.server.activity.entries
      .toReversed()
      .map(({ method, uri, name, outcome }) => [method, uri ?? name, outcome]);
    expect(entries).to.eql([
      ['resources/read', 'file:///secret/d.txt', 'denied'],
      ['resources/read', 'file:///open/none.txt', 'refused'],
      ['tools/call', 'delete_note', 'denied'],
      ['access', `note:///${ids['secret']}`, 'denied'],
      ['tools/call', 'update_note', 'failed'],
    ]);
  });

  it("is given to an app's own provider, which skips what is outside", async () => {
    const folders = { 'app:open/': 3, 'app:secret/': 10_000 };
    let touched = 0;
    const permitted = (call: ProviderCall, beginning = ''): string[] =>
      Object.entries(folders).flatMap(([folder, count]) => {
        if (!call.permitted.mayPermit(folder)) return [];
        touched += count;
        const uris = Array.from({ length: count }, (_, index) => `${folder}${index}`);
        return uris.filter((uri) => uri.startsWith(beginning) && call.permitted.permits(uri));
      });
    const addresses: unknown[] = [];
    const own = await openLinkedServer(undefined, {
      providers: [
        {
          name: 'folders',
          templates: [{ uriTemplate: 'app:{+path}', name: 'path' }],
          async list({ after = '-1', limit }, call) {
            addresses.push(call.permitted.addresses);
            call.signal.throwIfAborted();
            const end = Number(after) + 1 + limit;
            const uris = permitted(call);
            const resources = uris.slice(end - limit, end).map((uri) => ({ uri, name: uri }));
            return { resources, ...(end < uris.length && { next: String(end - 1) }) };
          },
          async read(uri, call) {
            const isRoot = uri === 'app:open/';
            return isRoot ? permitted(call).map((one) => ({ uri: one, text: one })) : undefined;
          },
          async complete({ value }, call) {
            const values = permitted(call, `app:${value}`).map((uri) => uri.slice('app:'.length));
            return { values: values.slice(0, 100), total: values.length };
          },
          listen: () => () => undefined,
        },
      ],
    });
    const { port1, port2 } = new MessageChannel();
    const number = own.server.servePort(port2, { access: { read: ['app:open/'] } });
    const client = new RawClient(port1);
    const ref = { type: 'ref/resource', uri: 'app:{+path}' };
    const argument = { name: 'path', value: '' };
    const complete = async () =>
      resultOf(await client.modern('completion/complete', { ref, argument }));
    const listed = resultOf(await client.modern('resources/list'));
    expect(listed['resources']).to.have.length(3);
    expect(listed).not.to.have.property('nextCursor');
    const read = resultOf(await client.modern('resources/read', { uri: 'app:open/' }));
    expect(read['contents']).to.have.length(3);
    expect((await complete())['completion']).to.include({ total: 3 });
    expect(touched).to.equal(9);
    own.server.setAccess(number, { read: ['app:open/1', 'app:secret/7'] });
    expect(resultOf(await client.modern('resources/list'))['resources']).to.eql(
      ['app:open/1', 'app:secret/7'].map((uri) => ({ uri, name: uri })),
    );
    own.server.setAccess(number, {});
    expect(resultOf(await client.modern('resources/list'))['resources']).to.have.length(200);
    expect((await complete())['completion']).to.include({ total: 10_003 });
    expect(addresses).to.eql([['app:open/'], ['app:open/1', 'app:secret/7'], 'all']);
    await own.server.close();
    await deleteDatabase(own.databaseName);
  });

  it('walks no further through what is outside when its request is cancelled', async () => {
    let pages = 0;
    let whenTurned!: () => void;
    const turned = new Promise<void>((resolve) => (whenTurned = resolve));
    const own = await openLinkedServer(undefined, {
      providers: [
        {
          name: 'endless',
          templates: [],
          async list() {
            pages += 1;
            if (pages === 3) whenTurned();
            await new Promise((resolve) => setTimeout(resolve));
            return { resources: [{ uri: 'app:secret', name: 's' }], next: String(pages) };
          },
          read: async () => undefined,
          listen: () => () => undefined,
        },
      ],
    });
    const client = own.connectRaw({ read: ['app:open'] });
    const id = client.post('resources/list', { _meta: MODERN_META });
    await turned;
    client.notify('notifications/cancelled', { requestId: id });
    await client.modern('server/discover');
    const before = pages;
    // A page takes up to 200 of the provider's.
    for (let last = -1; last !== pages;) {
      last = pages;
      // timed: nothing is to come, and nothing comes after it.
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(pages).to.be.at.most(before + 200);
    await own.server.close();
    await deleteDatabase(own.databaseName);
  });

  describe('that cannot be meant', () => {
    const refused: [what: string, access: unknown][] = [
      ['no object', 'all'],
      ['null', null],
      ['a member that is misspelt', { reads: ['note:'] }],
      ['a promise', Promise.resolve({ read: [] })],
      ['a read that is no array', { read: 'none' }],
      ['an address without a scheme', { read: ['/open/'] }],
      ['an empty address', { read: [''] }],
      ['an address that is no string', { read: [7] }],
      ['a file whose name is not escaped', { read: ['file:///my file.txt'] }],
      ['a folder outside', { read: ['file:///../'] }],
      ['a note that can be none', { read: ['note:///abc'] }],
      ['a beginning of the id of a note', { read: ['note:///01AR/'] }],
      ['an address that is too long', { read: [`app:${'a'.repeat(2_045)}`] }],
      ['too many addresses', { read: Array.from({ length: MAX_ACCESS_URIS + 1 }, () => 'app:') }],
      ['another way to write', { write: 'sometimes' }],
      ['a tool that is no string', { tools: [1] }],
      ['tools that are no list', { tools: 'search_notes' }],
      ['too many tools', { tools: Array.from({ length: 1_001 }, () => 'a') }],
      ['prompts that are no list', { prompts: {} }],
    ];
    for (const [what, access] of refused) {
      it(what, async () => {
        const { port2 } = new MessageChannel();
        const serve = async () => linked.server.servePort(port2, { access: access as Access });
        expect(await failureOf(serve())).to.have.property('code', 'invalid-argument');
        expect(linked.server.connectionCount).to.equal(0);
      });
    }

    it('is not what is just inside the limits', () => {
      const { port2 } = new MessageChannel();
      linked.server.servePort(port2, {
        access: {
          read: [
            `app:${'a'.repeat(2_044)}`,
            ...Array.from({ length: MAX_ACCESS_URIS - 1 }, () => 'app:'),
          ],
          tools: Array.from({ length: 1_000 }, () => 'a'),
        },
      });
      expect(linked.server.connectionCount).to.equal(1);
    });
  });
});
