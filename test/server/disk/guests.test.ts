// Leaves the code of the folders where the server looks for it, as its script does in the worker.
import '@inpage-mcp/server/disk-script';
import { expect } from '@esm-bundle/chai';
import { encodeCursor } from '@inpage-mcp/protocol';
import { disk, files, notes, type Access } from '@inpage-mcp/server';
import type { DiskControl } from '../../../packages/server/src/resources/disk/disk-types.js';
import { describeDisk, uriOf, useDisk } from '../../support/disk.js';
import { useLinkedServer } from '../../support/linked-server.js';
import type { RawClient } from '../../support/raw-client.js';
import { ERA_REVISIONS, errorOf, resultOf, speaking, type Speak } from '../../support/revisions.js';
import { ToolCaller } from '../../support/tool-caller.js';

const UPDATED = 'notifications/resources/updated';
const LIST_CHANGED = 'notifications/resources/list_changed';
const TOOLS_CHANGED = 'notifications/tools/list_changed';

describeDisk('the folders of the disk, to a guest', () => {
  const own = useDisk();
  const linked = useLinkedServer({ providers: [notes(), files(), disk()] });
  let control: DiskControl;
  const mount = (options = {}) => control.mount(own.folder, options);
  const part = ['src/', 'src/a.txt', 'src/deep/', 'src/deep/b.txt'].map(uriOf);

  beforeEach(async () => {
    await own.plant('src/a.txt', 'src/deep/b.txt', 'other/c.txt', 'd.txt');
    linked.server.disk.page = { report: () => undefined, ignored: async () => [] };
    control = await linked.server.disk.load('data:text/javascript,');
  });

  afterEach(() => control.unmount('project'));

  const listed = async (speak: Speak, method: string, key: string) => {
    const [entries] = Object.values(resultOf(await speak(method))).filter(Array.isArray);
    return (entries as { [key: string]: string }[]).map((entry) => entry[key]);
  };
  const complete = (speak: Speak, uri: string) => {
    const argument = { name: 'path', value: 'project/' };
    return speak('completion/complete', { ref: { type: 'ref/resource', uri }, argument });
  };
  const searchIn = (speak: Speak) =>
    speak('tools/call', { name: 'search_folder', arguments: { query: 'txt' } });
  /** What is not permitted is answered like what does not exist. */
  const expectAbsent = async (
    ask: (what: string) => ReturnType<Speak>,
    what: string,
    none: string,
  ) => {
    const [denied, missing] = [errorOf(await ask(what)), errorOf(await ask(none))];
    expect(JSON.stringify(denied).replaceAll(what, none)).to.equal(JSON.stringify(missing));
  };

  for (const revision of ERA_REVISIONS) {
    const open = (read: Access['read']) =>
      speaking(linked.connectRaw({ read, write: 'allow' }, 'guest'), revision);

    for (const [what, read, options] of [
      ['is all', 'all', { guests: true, write: true }],
      ['names one that the page keeps', [uriOf('')], { write: true }],
      ['names all of the disk, which the page keeps', ['disk:///'], {}],
    ] as const)
      it(`are not there if its access ${what}, in ${revision}`, async () => {
        await mount(options);
        const speak = await open(read);
        expect(await listed(speak, 'resources/list', 'uri')).to.eql([]);
        const templates = await listed(speak, 'resources/templates/list', 'uriTemplate');
        expect(templates.join()).not.to.contain('disk:');
        for (const uri of ['disk:///', uriOf(''), ...part])
          await expectAbsent((one) => speak('resources/read', { uri: one }), uri, 'disk:///none');
        await expectAbsent((uri) => complete(speak, uri), 'disk:///{+path}', 'disk:///{+none}');
        expect(await listed(speak, 'tools/list', 'name')).not.to.include('search_folder');
        expect(errorOf(await searchIn(speak)).code).to.equal(-32602);
      });

    it(`are the part that its access names, if the page opens them, in ${revision}`, async () => {
      await mount({ guests: true });
      const speak = await open([uriOf('src/')]);
      expect(await listed(speak, 'resources/list', 'uri')).to.eql(part);
      const templates = await listed(speak, 'resources/templates/list', 'uriTemplate');
      expect(templates).to.eql(['disk:///{+path}', 'disk:///{+folder}/']);
      for (const uri of part) resultOf(await speak('resources/read', { uri }));
      for (const path of ['', 'other/', 'other/c.txt', 'd.txt', 'src/../d.txt'])
        await expectAbsent((uri) => speak('resources/read', { uri }), uriOf(path), uriOf('none'));
      const { completion } = resultOf(await complete(speak, 'disk:///{+path}'));
      expect(completed(completion)).to.eql({ values: ['project/src/'], total: 1 });
      expect(await listed(speak, 'tools/list', 'name')).to.include('search_folder');
      const paths = ['src/a.txt', 'src/deep/b.txt'];
      const matches = paths.map((path) => ({ path: `project/${path}`, uri: uriOf(path) }));
      const found = resultOf(await searchIn(speak))['structuredContent'];
      expect(found).to.eql({ matches, isComplete: true });
      await mount();
      expect(await listed(speak, 'resources/list', 'uri')).to.eql([]);
    });

    it(`go on only from a cursor of its own, in ${revision}`, async () => {
      await mount({ guests: true });
      const speak = await open([uriOf('src/')]);
      const list = (position: string) =>
        speak('resources/list', { cursor: encodeCursor([1, 'disk', position]) });
      const { resources } = resultOf(await list('project/src/a.txt'));
      expect((resources as { uri: string }[]).map(({ uri }) => uri)).to.eql(part.slice(2));
      for (const position of ['project/d.txt', 'project/', 'project/src', '', 'project/src/../x'])
        expect(errorOf(await list(position)).code, position).to.equal(-32602);
    });
  }

  it('are silent outside of what it may read', async () => {
    await mount({ guests: true });
    const listen = async (access: Access, limits: 'page' | 'guest'): Promise<RawClient> => {
      const client = linked.connectRaw(access, limits);
      const speak = await speaking(client, '2025-11-25');
      for (const path of ['src/a.txt', 'd.txt'])
        await speak('resources/subscribe', { uri: uriOf(path) });
      return client;
    };
    const page = await listen({}, 'page');
    const guest = await listen({ read: [uriOf('src/')] }, 'guest');
    const others = [await listen({}, 'guest'), await listen({ read: ['note:///'] }, 'guest')];
    const updatesOf = (client: RawClient) =>
      client.notifications(UPDATED).map(({ params }) => params!['uri']);
    const lists = (client: RawClient) => client.notifications(LIST_CHANGED).length;
    await mount({ guests: true, write: true });
    await guest.when(() => updatesOf(guest).includes(uriOf('src/a.txt')));
    const tools = new ToolCaller(linked.connectRaw(), 'modern');
    await tools.call('delete_file', { path: uriOf('d.txt') });
    await page.when(() => updatesOf(page).includes(uriOf('d.txt')));
    // What is closed to it from now on.
    const before = lists(guest);
    const toolLists = (client: RawClient) => client.notifications(TOOLS_CHANGED).length;
    const toolListsBefore = [guest, ...others].map(toolLists);
    await mount();
    await guest.when(() => lists(guest) > before);
    await guest.when(() => toolLists(guest) > toolListsBefore[0]!);
    await mount({ guests: true });
    await guest.when(() => lists(guest) > before + 1);
    await control.unmount('project');
    await guest.when(() => lists(guest) > before + 2);
    expect(updatesOf(guest)).not.to.include(uriOf('d.txt'));
    for (const other of others) expect([...updatesOf(other), lists(other)]).to.eql([0]);
    expect(others.map(toolLists)).to.eql(toolListsBefore.slice(1));
  });

  it('are written only if the user says so each time, to what the question has said', async () => {
    await mount({ guests: true, write: true });
    const asked: string[] = [];
    let answer = async () => true;
    linked.server.confirm = async ({ message }) => asked.push(message) > 0 && (await answer());
    const open = (write: Access['write']) =>
      new ToolCaller(linked.connectRaw({ read: [uriOf('')], write }, 'guest'), 'modern');
    const guest = open('allow');
    const create = { path: uriOf('src/new'), text: 'x' };
    await guest.call('save_file', create);
    await guest.call('delete_file', { path: create.path });
    await open('ask').call('save_file', create);
    expect(asked[0]).to.equal('Save a new file on the disk: "project/src/new" (1 bytes)?');
    expect(asked).to.have.length(3);
    // It is not asked for what is refused anyway.
    expect(await guest.failure('save_file', create)).to.match(/exists: read it/);
    expect(await guest.failure('delete_file', { path: uriOf('.env') })).to.match(/never written/);
    const call = { name: 'save_file', arguments: create };
    expect(errorOf(await open('deny').request('tools/call', call)).code).to.equal(-32602);
    expect(asked).to.have.length(3);
    answer = () => own.save('d.txt', 'newer').then(() => true);
    const remove = { path: uriOf('d.txt') };
    expect(await guest.failure('delete_file', remove)).to.match(/changed after the user was asked/);
    answer = async () => false;
    expect(await guest.failure('delete_file', remove)).to.match(/did not agree/);
    expect(await own.textOf('d.txt')).to.equal('newer');
    expect(asked).to.have.length(5);
    // The page itself is not asked.
    await new ToolCaller(linked.connectRaw(), 'modern').call('delete_file', remove);
    expect(asked).to.have.length(5);
  });
});

const completed = (completion: unknown) => {
  const { values, total } = completion as { values: string[]; total: number };
  return { values, total };
};
