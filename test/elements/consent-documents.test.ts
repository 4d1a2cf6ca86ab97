import { expect, fixture, html } from '@open-wc/testing';
import '@inpage-mcp/elements/define/mcp-consent';
import type { McpConsent } from '../../packages/elements/src/act/mcp-consent/mcp-consent.js';
import type { ConsentAnswer } from '../../packages/elements/src/act/mcp-consent/question.js';
import { eventually, inside } from '../support/elements.js';

const NOTE = {
  title: 'Shopping list',
  text: ['milk', 'bread', 'eggs', 'salt', 'tea', 'rice', 'soap'].join('\n'),
  tags: ['home'],
  revision: 3,
};

/** Asks whether a tool may run, for notes that are all this one. */
async function ask(
  tool: string,
  values: object,
  note: { current: typeof NOTE | undefined } = { current: NOTE },
): Promise<{ consent: McpConsent; answer: Promise<ConsentAnswer> }> {
  const consent = await fixture<McpConsent>(html`<mcp-consent></mcp-consent>`);
  const documents = {
    notes: {
      get: async () => {
        if (!note.current) throw new Error('There is no such note.');
        return note.current;
      },
    },
  };
  const question = { message: 'May it?', tool, arguments: values, origin: 'null', documents };
  const answer = consent.ask(question);
  await eventually(() => consent.shadowRoot!.querySelector('.once'));
  return { consent, answer };
}

const linesOf = (part: Element): string =>
  Array.from(part.querySelectorAll('.portion'), ({ textContent }) => textContent).join('\n');

/** The document, a line for each part: its kind and its text. */
const partsOf = (consent: McpConsent): string[] =>
  Array.from(consent.shadowRoot!.querySelectorAll('.document > .part'), (part) =>
    `${part.className.replace(/^part ?/, '')}: ${linesOf(part)}`.replace(/^: /, ''),
  );

const textOf = (consent: McpConsent, selector: string): string =>
  inside(consent, selector).textContent.trim();

/** The heading, and the words of both buttons. */
const wordsOf = (consent: McpConsent): string[] =>
  ['h2', '.once', '.decline'].map((selector) => textOf(consent, selector));

const agree = async (consent: McpConsent): Promise<void> =>
  (
    await eventually(() =>
      consent.shadowRoot!.querySelector<HTMLElement>('.once[aria-disabled=false]'),
    )
  ).click();

describe('<mcp-consent> for a tool that writes a note', () => {
  it('shows the title of the note, and the lines that come and go', async () => {
    const text = NOTE.text.replace('rice', 'noodles').replace('soap', 'soap\nbananas');
    const { consent, answer } = await ask('update_note', { id: 'X', text, idempotencyKey: 'k' });
    expect(partsOf(consent)).to.deep.equal([
      'title: Shopping list',
      'skipped: Lines that stay as they are: 3',
      'salt\ntea',
      'removed: rice',
      'added: noodles',
      'soap',
      'added: bananas',
    ]);
    expect(wordsOf(consent)).to.deep.equal(['Change this note?', 'Change it', 'Don’t']);
    const said = inside(consent, 'dialog').textContent;
    expect(said).to.contain('A sandboxed frame, without an address');
    expect(said).not.to.match(/update_note|May it|[{}]/);
    expect(consent.shadowRoot!.querySelectorAll('ins, del').length).to.equal(3);
    await expect(consent).to.be.accessible();
    await agree(consent);
    expect((await answer).decision).to.equal('once');
  });

  it('shows what an addition follows, a new note as a whole, and of a deletion the title', async () => {
    const added = await ask('append_to_note', { id: 'note:///X', text: '- [ ] bananas' });
    expect(partsOf(added.consent)).to.deep.equal([
      'title: Shopping list',
      'skipped: Lines that stay as they are: 5',
      'rice\nsoap',
      'added: - [ ] bananas',
    ]);
    expect(wordsOf(added.consent)).to.deep.equal(['Add this to the note?', 'Add it', 'Don’t']);
    const created = await ask('create_note', { title: 'Plan', text: 'One\nTwo', tags: ['work'] });
    expect(partsOf(created.consent)).to.deep.equal([
      'title: Plan',
      'One\nTwo',
      'label: Tags',
      'added: work',
    ]);
    expect(wordsOf(created.consent)).to.deep.equal(['Add this note?', 'Add it', 'Don’t']);
    const deleted = await ask('delete_note', { id: 'X' });
    expect(partsOf(deleted.consent)).to.deep.equal([
      'title: Shopping list',
      ...NOTE.text.split('\n').slice(0, 3),
      'skipped: More lines: 4',
    ]);
    expect(wordsOf(deleted.consent)).to.deep.equal([
      'Delete this note for good?',
      'Delete it',
      'Don’t',
    ]);
  });

  it('tells two notes of one title apart before one is deleted: by a line, and a date', async () => {
    const updatedAt = Date.UTC(2026, 10, 12, 12);
    const current = { ...NOTE, text: `\n${'x'.repeat(10_000)}\n`, updatedAt };
    const { consent } = await ask('delete_note', { id: 'X' }, { current });
    const [title, line, date, ...others] = partsOf(consent);
    expect([title, others]).to.deep.equal(['title: Shopping list', []]);
    expect(line).to.equal(`${'x'.repeat(200)}…`);
    expect(date).to.match(/^label: Changed: .*2026/);
    await agree(consent);
  });

  it('shows what becomes of the title, the tags, the audience and the priority', async () => {
    const values = { id: 'X', title: 'Groceries', tags: [], audience: ['user'], priority: 0.5 };
    const { consent } = await ask('update_note', values);
    expect(partsOf(consent)).to.deep.equal([
      'label: Title',
      'removed: Shopping list',
      'added: Groceries',
      'skipped: Lines that stay as they are: 7',
      'label: Tags',
      'removed: home',
      'label: Audience',
      'added: user',
      'label: Priority',
      'added: 0.5',
    ]);
  });

  it('shows message and values where a document would not show all of it', async () => {
    for (const [tool, values, note] of [
      ['update_note', { id: 'X', text: 'a', sendTo: 'me' }, NOTE],
      ['delete_note', { id: 'X', text: 'a' }, NOTE],
      ['update_note', { id: 'X', text: ['a'] }, NOTE],
      ['update_note', { id: 'X', text: 'a' }, undefined],
      ['send_note', { id: 'X' }, NOTE],
      ['toString', { id: 'X' }, NOTE],
    ] as const) {
      const { consent } = await ask(tool, values, { current: note });
      expect(partsOf(consent)).to.deep.equal([]);
      expect(textOf(consent, '[part=message]')).to.equal('May it?');
      expect(JSON.parse(textOf(consent, '[part=arguments]'))).to.deep.equal(values);
      expect(textOf(consent, '.asker')).to.contain(tool);
    }
  });

  it('shows what nobody sees, and takes no yes before all of it was in sight', async () => {
    const text = `${NOTE.text}\u202E${'\nmore'.repeat(20_000)}`;
    const { consent, answer } = await ask('update_note', { id: 'X', text });
    expect(partsOf(consent).join('\n')).to.contain('soap⟨U+202E⟩');
    const yes = inside(consent, '.once');
    expect(textOf(consent, '#unread')).to.equal('Show the whole text before you agree.');
    const box = inside(consent, '[part=message]');
    const more = (): HTMLElement | null => consent.shadowRoot!.querySelector('.more > button');
    for (let step = 0; step < 200 && yes.getAttribute('aria-disabled') === 'true'; step += 1) {
      more()?.click();
      box.scrollTop = box.scrollHeight;
      await new Promise(requestAnimationFrame);
    }
    await agree(consent);
    expect((await answer).decision).to.equal('once');
    expect(partsOf(consent).join('\n').match(/more/g)?.length ?? 20_000).to.equal(20_000);
  });

  it('shows a first part of very many changes, and two texts where they cannot be compared', async () => {
    const lines = Array.from({ length: 400 }, (_, at) => `line ${at}`);
    const odd = lines.map((line, at) => (at % 8 === 0 ? `${line}!` : line)).join('\n');
    const note = { current: { ...NOTE, text: lines.join('\n') } };
    const many = await ask('update_note', { id: 'X', text: odd }, note);
    expect(partsOf(many.consent).length).to.be.within(20, 140);
    expect(inside(many.consent, '.more').checkVisibility()).to.equal(true);
    const endless = '\n'.repeat(50_001);
    const far = await ask('update_note', { id: 'X', text: endless }, note);
    expect(partsOf(far.consent)[1]).to.match(/^removed: line 0/);
  });

  it('asks anew if the note has changed since, and takes the yes to what it shows then', async () => {
    const note = { current: NOTE };
    const { consent, answer } = await ask('update_note', { id: 'X', text: 'milk' }, note);
    note.current = { ...NOTE, text: `${NOTE.text}\nbananas`, revision: 4 };
    await agree(consent);
    await eventually(() => partsOf(consent).some((part) => part.includes('bananas')));
    expect(inside(consent, '.once').getAttribute('aria-disabled')).to.equal('true');
    await agree(consent);
    expect((await answer).decision).to.equal('once');
  });
});
