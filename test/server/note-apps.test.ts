import { expect } from '@esm-bundle/chai';
import type { Access, Resources } from '@inpage-mcp/server';
import { ChangeLog } from '../../packages/apps/src/change-log.js';
import { NOTES_APP, noteApps } from '../../packages/apps/src/note-apps.js';
import { failureOf } from '../support/failure.js';
import { useLinkedServer } from '../support/linked-server.js';
import { resultOf } from '../support/revisions.js';
import { soon } from '../support/within.js';
import { ERAS, ToolCaller, type Era } from '../support/tool-caller.js';
import { leaveUnsearched } from '../support/unsearched.js';

const APPS = {
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
};

interface Changes {
  revision: string;
  uris: string[];
  listChanged: boolean;
}

describe('the apps of the notes', () => {
  const linked = useLinkedServer();
  beforeEach(() => linked.server.features.install(noteApps('<title>Notes</title>')));

  const callerOf = (era: Era, access?: Access, capabilities: object = APPS): ToolCaller =>
    new ToolCaller(linked.connectRaw(access), era, capabilities as never);

  const textOf = async (caller: ToolCaller, name: string, args = {}): Promise<string> => {
    const [block] = (await caller.call(name, args)).content;
    return (block as { text: string }).text;
  };

  for (const era of ERAS) {
    it(`come to a host that shows them, and their answers to any other (${era})`, async () => {
      const { id } = await linked.server.store.notes.create({ title: 'Milk', text: '# Buy\n\nit' });
      const [host, plain] = [callerOf(era), callerOf(era, {}, {})];
      const names = ['show_notes', 'pick_notes', 'show_note'];
      for (const name of names) {
        expect(await host.tool(name)).to.have.nested.property('_meta.ui.resourceUri', NOTES_APP);
        expect(await plain.tool(name)).not.to.have.nested.property('_meta.ui');
      }
      expect((await plain.tools()).map(({ name }) => name)).not.to.include('changes_since');
      const read = resultOf(await host.request('resources/read', { uri: NOTES_APP }));
      expect(JSON.stringify(read)).to.contain('changes_since').and.contain('<title>Notes</title>');

      for (const caller of [host, plain]) {
        const uri = `note:///${id}`;
        expect(await textOf(caller, 'show_notes')).to.equal(
          `1 note, the newest first. Read one with show_note.\n- Milk (${uri}): Buy`,
        );
        expect(await textOf(caller, 'show_note', { uri })).to.equal('# Milk\n\n# Buy\n\nit');
      }
    });
  }

  it('list the first notes with their number, or find some', async () => {
    const entries = Array.from({ length: 60 }, (_, index) => ({
      title: index === 7 ? 'Odd\none' : `Note ${index}`,
      text: index % 2 === 0 ? 'even' : 'odd',
    }));
    await linked.server.store.notes.createAll(entries);
    const caller = callerOf('modern');
    const { notes, ...all } = await caller.data<{ notes: unknown[] }>('show_notes');
    expect(all).to.deep.equal({ view: 'list', total: 60 });
    expect(notes).to.have.length(50);
    expect(await textOf(caller, 'show_notes')).to.match(/^50 of 60 notes, the newest first\./);
    const found = await caller.data('pick_notes', { query: 'Odd one' });
    expect(found).to.include({ view: 'picker', query: 'Odd one', total: 1 });
    expect(found['notes']).to.have.nested.property('[0].title', 'Odd one');
    expect(await textOf(caller, 'pick_notes', { query: '"zzz' })).to.equal(
      'There are no notes with "\\"zzz".',
    );
    expect(await textOf(caller, 'show_notes', { query: 'none' })).to.contain(
      'with words like "none"',
    );
  });

  it('say how many notes could not be searched yet', async () => {
    await linked.server.store.notes.create({ title: 'milk', text: '' });
    leaveUnsearched(linked.server.store, 5);
    const caller = callerOf('modern');
    for (const query of ['milk', 'zzz']) {
      expect(await textOf(caller, 'show_notes', { query })).to.match(
        / 5 could not be searched yet: try again later\.(?:\n|$)/,
      );
    }
  });

  it('show a guest what it may see', async () => {
    const { notes } = linked.server.store;
    const [own, other] = [
      await notes.create({ title: 'Own', text: 'a' }),
      await notes.create({ title: 'Other', text: 'b' }),
    ];
    const read = [`note:///${own.id}`];
    const caller = new ToolCaller(linked.connectRaw({ read }, 'guest'), 'modern', APPS);
    expect((await caller.data<{ notes: unknown }>('show_notes')).notes).to.deep.equal([
      { uri: read[0], title: 'Own', firstLine: 'a' },
    ]);
    expect(await caller.failure('show_note', { uri: `note:///${other.id}` })).to.contain(
      'Find its uri with show_notes.',
    );
    expect(await caller.tool('show_notes')).not.to.have.nested.property('_meta.ui.resourceUri');
    const refused = await caller.request('resources/read', { uri: NOTES_APP });
    expect(refused).to.have.nested.property('error.code', -32602);

    const { revision } = await caller.data<Changes>('changes_since');
    const waiting = caller.data<Changes>('changes_since', { revision });
    await notes.update(other.id, { text: 'c' });
    await notes.update(own.id, { text: 'd' });
    expect((await soon('the change is there', waiting)).uris).to.include(read[0]);
    const seen = await caller.data<Changes>('changes_since', { revision });
    expect(seen.uris).not.to.include(`note:///${other.id}`);
  });

  it('wait for changes: none is lost between two calls, and each revision gets its own', async () => {
    const { notes } = linked.server.store;
    const caller = callerOf('modern');
    const first = await caller.data<Changes>('changes_since');
    expect(first).to.deep.include({ uris: [], listChanged: false });
    const { id } = await notes.create({ title: 'a', text: 'b' });
    const second = await caller.data<Changes>('changes_since', { revision: first.revision });
    expect(second.uris).to.include(`note:///${id}`).and.include('note:///search?');
    expect(second.listChanged).to.equal(true);
    const waiting = caller.data<Changes>('changes_since', { revision: second.revision });
    await notes.update(id, { text: 'c' });
    const third = await soon('the update is there', waiting);
    expect(third).to.deep.include({ listChanged: true });
    const again = await caller.data<Changes>('changes_since', { revision: first.revision });
    expect(again).to.deep.equal({ ...third, uris: again.uris });
    for (const revision of ['', 'other-1', `${first.revision}9-x`])
      expect(await caller.failure('changes_since', { revision })).to.contain('unknown');
  });
});

describe('the changes that an app can ask for', () => {
  let emit: Parameters<Resources['listen']>[0];
  const log = (): ChangeLog =>
    new ChangeLog({ listen: (listener) => ((emit = listener), () => undefined) } as Resources);

  it('are waited for until the call ends, and no longer than it may take', async () => {
    const waiting = log();
    const ending = new AbortController();
    const aborted = failureOf(waiting.next(60_000, ending.signal));
    ending.abort('over');
    expect(await aborted).to.equal('over');
    expect(await failureOf(waiting.next(60_000, ending.signal))).to.equal('over');
    await waiting.next(1, new AbortController().signal);
  });

  it('are forgotten when there are too many, so that the app reads everything again', () => {
    const full = log();
    const { revision } = full;
    const changes = (from: number): { uri: string; listChanged: boolean }[] =>
      Array.from({ length: 600 }, (_, index) => ({ uri: `a:${from + index}`, listChanged: false }));
    emit(changes(0));
    expect(full.since(revision)!.uris).to.have.length(600);
    emit(changes(600));
    expect(full.since(revision)).to.equal(undefined);
    expect(full.since(full.revision)).to.include({ listChanged: false });
  });
});
