import { expect, fixture, html, oneEvent } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import '@inpage-mcp/elements/define/mcp-consent';
import { connectClient, type Elicit } from '@inpage-mcp/client';
import type { Confirm } from '@inpage-mcp/runtime';
import { MessagePortTransport } from '@inpage-mcp/transport';
import type { McpConsent } from '../../packages/elements/src/act/mcp-consent/mcp-consent.js';
import type {
  ConsentAnswer,
  ConsentQuestion,
  LastingDecision,
} from '../../packages/elements/src/act/mcp-consent/question.js';
import { deleteDatabase } from '../support/database.js';
import { eventually, expectFocus, frames, inside } from '../support/elements.js';
import { openLinkedServer } from '../support/linked-server.js';
import { leastBlocking } from '../support/slowness.js';
import { useFakeTimers } from '../support/fake-timers.js';

const DELETE = {
  message: 'Delete the note "Shopping"?',
  tool: 'delete_note',
  origin: 'https://assistant.example',
};
const WHO = {
  message: 'Who gets the parcel?',
  requester: 'Parcels',
  requestedSchema: {
    type: 'object' as const,
    properties: { name: { type: 'string' as const, maxLength: 50 } },
    required: ['name'],
  },
};

const TOO_LONG = 'The values are too long to be shown, so you cannot agree to them.';

const create = async (): Promise<McpConsent> =>
  await fixture<McpConsent>(html`<mcp-consent></mcp-consent>`);
const dialogOf = (consent: McpConsent): HTMLDialogElement =>
  inside(consent, 'dialog') as HTMLDialogElement;
const isOpen = (consent: McpConsent): boolean => dialogOf(consent).open;
const textOf = (consent: McpConsent, selector: string): string =>
  inside(consent, selector).textContent.replaceAll(/\s+/g, ' ').trim();
const wordsOf = (consent: McpConsent): string | undefined =>
  consent.shadowRoot!.querySelector('.words')?.textContent.trim();
/** Asks, and resolves when the question is shown. */
const ask = async (
  consent: McpConsent,
  question: ConsentQuestion,
  signal?: AbortSignal,
): Promise<{ answer: Promise<ConsentAnswer> }> => {
  const answer = consent.ask(question, { signal });
  await eventually(() => isOpen(consent) && consent.shadowRoot!.querySelector('.once'));
  return { answer };
};
/** How long a question is there before a yes counts. */
const GUARD_MS = 500;
const timers = useFakeTimers({ only: (delayMs) => delayMs === GUARD_MS });

const ready = async (consent: McpConsent, decision: string): Promise<HTMLElement> =>
  await eventually(() => {
    timers.pass(GUARD_MS);
    return consent.shadowRoot!.querySelector<HTMLElement>(
      `button.${decision}[aria-disabled=false]`,
    );
  });
const agree = async (consent: McpConsent, decision = 'once'): Promise<void> =>
  (await ready(consent, decision)).click();
const press = (consent: McpConsent, selector: string): void => inside(consent, selector).click();
const isOff = (consent: McpConsent): boolean =>
  inside(consent, '.once').getAttribute('aria-disabled') === 'true';

describe('<mcp-consent>', () => {
  it('shows that no yes counts yet', async () => {
    const consent = await create();
    const { answer } = await ask(consent, { ...DELETE, message: 'long words\n'.repeat(5_000) });
    const colour = (selector: string): string =>
      getComputedStyle(inside(consent, selector)).backgroundColor;
    // The theme colours an enabled button that is the main one.
    expect(inside(consent, '.once').getAttribute('aria-disabled')).to.equal('true');
    expect(colour('.once')).to.equal(colour('.asker'));
    await expect(consent).to.be.accessible();
    press(consent, '.decline');
    await answer;
  });

  it('says who asks, for what, in the exact words', async () => {
    const consent = await create();
    const { answer } = await ask(consent, { ...DELETE, requester: 'Helper', arguments: { a: 1 } });
    expect(textOf(consent, '.origin')).to.equal('https://assistant.example');
    expect(textOf(consent, '.asker')).to.contain('Calls itself Helper').and.contain('delete_note');
    expect(textOf(consent, '.words')).to.equal('Delete the note "Shopping"?');
    expect(textOf(consent, '.arguments')).to.equal('{ "a": 1 }');
    expect(inside(consent, '.hint').checkVisibility()).to.equal(false);
    await ready(consent, 'once');
    await expect(consent).to.be.accessible();
    press(consent, '.decline');
    expect(await answer).to.deep.equal({ decision: 'decline' });
    await consent.updateComplete;
    expect(isOpen(consent)).to.equal(false);
  });

  it('answers what the user chose, and fires an event', async () => {
    const consent = await create();
    const { answer } = await ask(consent, DELETE);
    const event = oneEvent(consent, 'mcp-consent-answer');
    await agree(consent);
    expect(await answer).to.deep.equal({ decision: 'once' });
    expect(await event).to.deep.include({ question: DELETE, answer: { decision: 'once' } });
  });

  it('shows markup as text', async () => {
    const consent = await create();
    const message = '<b>Delete</b> nothing <img src=x onerror=alert(1)>';
    await ask(consent, { ...DELETE, message, requester: '<i>me</i>' });
    expect(textOf(consent, '.words')).to.equal(message);
    expect(consent.shadowRoot!.querySelector('b, i, img')).to.equal(null);
  });

  it('takes no click and no Enter for a yes in the first moment', async () => {
    const consent = await create();
    // The first moment lasts until the test is done with it: a busy machine takes longer than that.
    const { setTimeout } = globalThis;
    const ends: (() => void)[] = [];
    globalThis.setTimeout = ((run: () => void, delayMs?: number) =>
      // timed: this is the clock of the test.
      delayMs === 500 ? ends.push(run) : setTimeout(run, delayMs)) as typeof setTimeout;
    try {
      const { answer } = await ask(consent, DELETE);
      press(consent, '.once');
      inside(consent, '.once').focus();
      await sendKeys({ press: 'Enter' });
      expect(isOpen(consent)).to.equal(true);
      expect(inside(consent, '.once').getAttribute('aria-disabled')).to.equal('true');
      for (const end of ends) end();
      await agree(consent);
      expect((await answer).decision).to.equal('once');
    } finally {
      globalThis.setTimeout = setTimeout;
    }
  });

  it('takes a yes after that moment', async () => {
    const consent = await create();
    const { answer } = await ask(consent, DELETE);
    await agree(consent);
    expect((await answer).decision).to.equal('once');
  });

  it('waits longer while the user is typing', async () => {
    const consent = await create();
    await ask(consent, DELETE);
    const key = new KeyboardEvent('keydown', { key: 'a', bubbles: true, composed: true });
    for (let typed = 0; typed < 3; typed += 1) {
      timers.pass(GUARD_MS - 1);
      await consent.updateComplete;
      expect(isOff(consent)).to.equal(true);
      inside(consent, 'h2').dispatchEvent(key);
    }
    timers.pass(GUARD_MS);
    await eventually(() => !isOff(consent));
  });

  it('takes no Enter for a yes that was held down before', async () => {
    const consent = await create();
    const { answer } = await ask(consent, DELETE);
    const button = await ready(consent, 'once');
    button.focus();
    await sendKeys({ down: 'Enter' });
    expect((await answer).decision, 'a new key press').to.equal('once');
    const next = await ask(consent, DELETE);
    (await ready(consent, 'once')).focus();
    // The same key again without `keyup` in between: the browser repeats it.
    await sendKeys({ down: 'Enter' });
    await sendKeys({ up: 'Enter' });
    expect(isOpen(consent)).to.equal(true);
    press(consent, '.decline');
    expect((await next.answer).decision).to.equal('decline');
  });

  it('puts the focus on its title, keeps it inside, and returns it', async () => {
    const button = await fixture<HTMLButtonElement>(html`<button>Behind</button>`);
    const consent = await create();
    button.focus();
    const { answer } = await ask(consent, DELETE);
    expect(consent.shadowRoot!.activeElement?.id).to.equal('title');
    await sendKeys({ press: 'Tab' });
    expect(consent.shadowRoot!.activeElement?.className).to.contain('scroller');
    await sendKeys({ press: 'Escape' });
    expect((await answer).decision).to.equal('cancel');
    await consent.updateComplete;
    expectFocus(document, button);
  });

  it('asks one question after another, and has a no for all', async () => {
    const consent = await create();
    const answers = ['one', 'two', 'three'].map((message) => consent.ask({ message }));
    await eventually(() => wordsOf(consent) === 'one');
    expect(textOf(consent, '.waiting')).to.contain('More questions: 2');
    await agree(consent);
    await eventually(() => wordsOf(consent) === 'two');
    expect(inside(consent, '.once').getAttribute('aria-disabled'), 'guarded again').to.equal(
      'true',
    );
    expect(isOpen(consent)).to.equal(true);
    press(consent, '.decline-all');
    const decisions = (await Promise.all(answers)).map(({ decision }) => decision);
    expect(decisions).to.deep.equal(['once', 'decline', 'decline']);
    await consent.updateComplete;
    expect(isOpen(consent)).to.equal(false);
  });

  it('declines at once what is too much of one asker, and still asks for others', async () => {
    const consent = await create();
    let declined = 0;
    const many = Array.from({ length: 1_000 }, async () => {
      const { decision } = await consent.ask(DELETE);
      if (decision === 'decline') declined += 1;
    });
    await eventually(() => declined === 980);
    const other = consent.ask({ message: 'Me too?', requester: 'Other' });
    expect(textOf(consent, '.waiting')).to.contain('More questions: 19');
    consent.remove();
    await Promise.all(many);
    expect(declined).to.equal(980);
    expect((await other).decision).to.equal('cancel');
  });

  it('withdraws a question when its signal aborts', async () => {
    const consent = await create();
    const stop = new AbortController();
    const { answer } = await ask(consent, DELETE, stop.signal);
    stop.abort();
    expect((await answer).decision).to.equal('cancel');
    await consent.updateComplete;
    expect(isOpen(consent)).to.equal(false);
    expect((await consent.ask(DELETE, { signal: stop.signal })).decision).to.equal('cancel');
  });

  it('is no yes where it is not in a page', async () => {
    const consent = await create();
    consent.remove();
    expect((await consent.ask(DELETE)).decision).to.equal('cancel');
  });

  describe('that remembers', () => {
    it('does not ask again after “always” and “never”, of the same asker and tool', async () => {
      for (const lasting of ['always', 'never'] as const) {
        const consent = await create();
        const kept = new Map<string, LastingDecision>();
        consent.remember = kept;
        const { answer } = await ask(consent, DELETE);
        if (lasting === 'always') await agree(consent, 'always');
        else press(consent, '.never');
        expect((await answer).decision).to.equal(lasting);
        expect((await consent.ask({ ...DELETE, message: 'Another?' })).decision).to.equal(lasting);
        for (const other of [{ tool: 'update_note' }, { origin: 'https://other.example' }]) {
          const asked = await ask(consent, { ...DELETE, ...other });
          press(consent, '.decline');
          expect((await asked.answer).decision).to.equal('decline');
        }
      }
    });

    it('remembers nothing of an asker that nothing tells from others', async () => {
      const consent = await create();
      consent.remember = new Map();
      for (const origin of ['null', undefined, 'desktop:app', 'file:///a.html']) {
        for (const requester of ['This page', 'https://assistant.example', undefined]) {
          const { answer } = await ask(consent, { ...DELETE, origin, requester, lasting: true });
          expect(consent.shadowRoot!.querySelectorAll('.always, .never').length).to.equal(0);
          await agree(consent);
          expect((await answer).decision).to.equal('once');
        }
      }
      expect((consent.remember as Map<string, unknown>).size).to.equal(0);
    });

    it('offers that only where it can be kept, and not for what is filled in', async () => {
      const consent = await create();
      const offers = async (question: ConsentQuestion): Promise<boolean> => {
        const { answer } = await ask(consent, question);
        const isOffered = consent.shadowRoot!.querySelector('.always') !== null;
        press(consent, '.decline');
        await answer;
        return isOffered;
      };
      expect(await offers(DELETE)).to.equal(false);
      expect(await offers({ ...DELETE, lasting: true })).to.equal(true);
      consent.remember = new Map();
      expect(await offers(DELETE)).to.equal(true);
      expect(await offers({ ...DELETE, lasting: false })).to.equal(false);
      expect(await offers({ ...WHO, tool: 'send' })).to.equal(false);
    });

    it('asks if its store fails', async () => {
      const consent = await create();
      const fail = (): never => {
        throw new Error('No storage.');
      };
      consent.remember = { get: fail, set: () => Promise.reject(new Error('No storage.')) };
      const { answer } = await ask(consent, DELETE);
      await agree(consent, 'always');
      expect((await answer).decision).to.equal('always');
    });
  });

  describe('against those who deceive', () => {
    it('shows names with hidden characters as what they are', async () => {
      const consent = await create();
      const requester = 'Bank\u202Eknab\u200B\n\u3164';
      await ask(consent, { ...DELETE, requester, tool: 'read\u2066_only' });
      expect(textOf(consent, '.asker'))
        .to.contain('Bank⟨U+202E⟩knab⟨U+200B⟩⟨U+000A⟩⟨U+3164⟩')
        .and.contain('read⟨U+2066⟩_only');
    });

    it('shows a name as a name, also one that looks like the page or an origin', async () => {
      const consent = await create();
      for (const requester of ['This page', 'https://bank.example']) {
        for (const question of [{ requester }, { origin: requester.replace('https', 'app') }]) {
          const { answer } = await ask(consent, { message: 'So?', ...question });
          expect(textOf(consent, '.asker')).to.match(/^Calls itself \S/);
          expect(consent.shadowRoot!.querySelector('.origin')).to.equal(null);
          press(consent, '.decline');
          await answer;
        }
      }
    });

    it('counts the characters that nobody sees, in the words and in the values', async () => {
      const consent = await create();
      const text = `Buy milk.${'\uFE01'.repeat(900)}${'\u200B'.repeat(1_000)}`;
      await ask(consent, { message: text, arguments: { text } });
      expect(textOf(consent, '.words')).to.equal('Buy milk.⟨U+FE01 … U+200B: 1900⟩');
      expect(textOf(consent, '.arguments')).to.contain('"Buy milk.⟨U+FE01 … U+200B: 1900⟩"');
    });

    it('counts more than a handful of those that a language may need, in any script', async () => {
      const consent = await create();
      const UNSEEN = 'Characters in it that cannot be seen, such as spaces at the ends of lines: ';
      for (const [hidden, count] of [
        ['辻\u{E0100}', 1],
        ['か\u200D', 1],
        ['ש\u200E', 1],
        ['می\u200Cخ', 1],
        ['👩\u200D👧', 1],
        [' \n', 1],
        ['a\u2009\n', 1],
      ] as const) {
        for (const times of [5, 6]) {
          const { answer } = await ask(consent, { message: `Buy:${hidden.repeat(times)}.` });
          const remark = consent.shadowRoot!.querySelector('.unseen')?.textContent.trim();
          expect(remark, hidden).to.equal(times === 5 ? undefined : `${UNSEEN}${count * times}`);
          press(consent, '.decline');
          await answer;
        }
      }
      await ask(consent, { message: `Buy milk.${' '.repeat(680)}\nAnd bread.` });
      expect(textOf(consent, '.unseen')).to.equal(`${UNSEEN}680`);
    });

    for (const [what, blank] of [
      ['no-break spaces', '\u00A0'.repeat(3_000)],
      ['line ends', '\n'.repeat(100)],
    ] as const)
      it(`takes no yes before words behind ${what} were in sight, with the keyboard, too`, async () => {
        const consent = await create();
        const { answer } = await ask(consent, { message: `Buy milk.${blank}And all else.` });
        // What is in sight at once can be agreed to as soon as any question can.
        const other = await create();
        await ask(other, { message: 'Short?' });
        await ready(other, 'once');
        press(other, '.decline');
        await eventually(() => !isOpen(other));
        expect(inside(consent, '.once').getAttribute('aria-disabled')).to.equal('true');
        expect(inside(consent, '.once').getAttribute('aria-describedby')).to.equal('unread');
        expect(textOf(consent, '#unread')).to.equal('Show the whole text before you agree.');
        press(consent, '.once');
        await expect(consent).to.be.accessible();
        const readOn = inside(consent, '.read-on');
        readOn.focus();
        for (let presses = 0; presses < 30 && isOff(consent); presses += 1) {
          await sendKeys({ press: 'Enter' });
          await new Promise(requestAnimationFrame);
        }
        await agree(consent);
        expect((await answer).decision).to.equal('once');
      });

    it('says of values of more than ten million characters that they are too long', async () => {
      const consent = await create();
      // As JSON, in quotes.
      for (const [length, remark] of [
        [9_999_998, 'Show the whole text before you agree.'],
        [9_999_999, TOO_LONG],
      ] as const) {
        const { answer } = await ask(consent, { ...DELETE, arguments: 'x'.repeat(length) });
        expect(textOf(consent, '#unread')).to.equal(remark);
        press(consent, '.decline');
        await answer;
      }
    });

    it('never keeps the main thread longer than 100 ms: 49,000 values', async () => {
      const values = Object.fromEntries(
        Array.from({ length: 49_000 }, (_, key) => [`key${key}`, key]),
      );
      const consent = await create();
      const longest = await leastBlocking(100, async () => {
        const { answer } = await ask(consent, { ...DELETE, arguments: values });
        press(consent, '.more > button');
        await frames(5);
        expect(textOf(consent, '.arguments')).to.contain('"key0": 0');
        press(consent, '.decline');
        await answer;
      });
      expect(longest).to.be.below(100);
    });

    it('takes a yes to values that are nested 100 levels deep, and to no deeper ones', async () => {
      const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
      const consent = await create();
      for (const depth of [100, 101]) {
        const { answer } = await ask(consent, { ...DELETE, arguments: nested(depth) });
        while (consent.shadowRoot!.querySelector('.more > button')) {
          press(consent, '.more > button');
          await consent.updateComplete;
        }
        const scroller = inside(consent, '.scroller.arguments');
        // What comes into sight is laid out only then, and may be higher than expected.
        for (let frame = 0; frame < 60; frame += 1) {
          scroller.scrollTop = scroller.scrollHeight;
          await new Promise(requestAnimationFrame);
        }
        if (depth === 100) await agree(consent);
        else {
          expect(textOf(consent, '#unread')).to.equal(TOO_LONG);
          press(consent, '.once');
          press(consent, '.decline');
        }
        expect((await answer).decision).to.equal(depth === 100 ? 'once' : 'decline');
      }
    });

    it('shows overrides of the direction in the words, and leaves their language alone', async () => {
      const consent = await create();
      const message = 'Open gpj.\u202Eexe? 👩‍👩‍👧 مرحبا\u200F';
      await ask(consent, { message });
      expect(inside(consent, '.words').textContent.trim()).to.equal(
        message.replace('\u202E', '⟨U+202E⟩'),
      );
    });

    it('shows an origin in ASCII, with a warning if it can look like another one', async () => {
      const consent = await create();
      await ask(consent, { ...DELETE, origin: 'https://аpple.com' });
      expect(textOf(consent, '.origin')).to.equal('https://xn--pple-43d.com');
      expect(textOf(consent, '.warning')).to.contain('letters that can look like others');
    });

    it('names a frame without an address as such', async () => {
      const consent = await create();
      await ask(consent, { ...DELETE, origin: 'null' });
      expect(textOf(consent, '.asker')).to.contain('A sandboxed frame, without an address');
    });

    it('takes a yes to a long text only when all of it is shown', async () => {
      const consent = await create();
      const message = `Delete one note?${'\n'.repeat(1_000_000)}And all others.`;
      const { answer } = await ask(consent, { ...DELETE, message });
      expect(textOf(consent, '.warning')).to.equal('Show the whole text before you agree.');
      await eventually(() => inside(consent, '.hint').checkVisibility());
      expect(inside(consent, '.once').getAttribute('aria-disabled')).to.equal('true');
      let steps = 0;
      for (; consent.shadowRoot!.querySelector('.more > button'); steps += 1) {
        press(consent, '.more > button');
        await consent.updateComplete;
      }
      expect(steps).to.be.within(2, 20);
      expect(inside(consent, '.once').getAttribute('aria-disabled')).to.equal('true');
      const scroller = inside(consent, '.words');
      // What comes into sight is laid out only then, and may be higher than expected.
      for (let scrolls = 0; scrolls < 100 && isOff(consent); scrolls += 1) {
        scroller.scrollTop = scroller.scrollHeight;
        await new Promise(requestAnimationFrame);
      }
      await agree(consent);
      expect((await answer).decision).to.equal('once');
    });

    it('declines a text without end, and a question without words', async () => {
      const consent = await create();
      const message = 'x'.repeat(2_000_000);
      const { answer } = await ask(consent, { message });
      press(consent, '.decline');
      await answer;
      const endless = { message: `${message}x` };
      expect((await consent.ask(endless)).decision).to.equal('decline');
      expect((await consent.ask({} as never)).decision).to.equal('decline');
    });

    it('is not disturbed by values of any type', async () => {
      const consent = await create();
      const circle: { self?: unknown } = {};
      circle.self = circle;
      for (const value of [7, {}, [], circle, 2n ** 70n, '']) {
        const question = { message: 'So?', origin: value, requester: value, tool: value };
        const { answer } = await ask(consent, {
          ...question,
          arguments: value,
          requestedSchema: value,
        } as never);
        press(consent, '.decline');
        expect((await answer).decision).to.equal('decline');
      }
    });
  });

  describe('with fields', () => {
    it('answers with what the user has filled in', async () => {
      const consent = await create();
      const { answer } = await ask(consent, WHO);
      await agree(consent);
      await eventually(() => consent.shadowRoot!.activeElement?.localName === 'input');
      expect(textOf(consent, '.problem')).to.equal('Enter a value.');
      await expect(consent).to.be.accessible();
      await sendKeys({ type: 'Ada' });
      await sendKeys({ press: 'Enter' });
      expect(isOpen(consent), 'Enter in a field sends nothing').to.equal(true);
      await agree(consent);
      expect(await answer).to.deep.equal({ decision: 'once', content: { name: 'Ada' } });
    });

    it('begins with what is ticked in advance, counts it, and shows the rest when asked', async () => {
      const consent = await create();
      const anyOf = Array.from({ length: 14 }, (_, n) => ({
        const: `n${n}`,
        title: `Note ${n}${n === 12 ? ' with words enough for several lines'.repeat(8) : ''}`,
      }));
      const notes = { type: 'array', title: 'Notes', items: { anyOf }, default: ['n11', 'n13'] };
      const requestedSchema = { type: 'object', properties: { notes } };
      const { answer } = await ask(consent, { ...WHO, requestedSchema });
      const boxes = (): HTMLInputElement[] => [
        ...consent.shadowRoot!.querySelectorAll<HTMLInputElement>('.check > input'),
      ];
      const titlesOf = (some: HTMLInputElement[]): string[] =>
        some.map((box) => box.parentElement!.textContent.trim().slice(0, 7).trim());
      expect(boxes()).to.have.length(10);
      expect(titlesOf(boxes().filter(({ checked }) => checked))).to.deep.equal([
        'Note 11',
        'Note 13',
      ]);
      expect(titlesOf(boxes().slice(0, 3))).to.deep.equal(['Note 11', 'Note 13', 'Note 0']);
      expect(textOf(consent, '.buttons .chosen')).to.equal('Notes: 2 of 14');
      expect(textOf(consent, 'legend')).to.equal('Notes 2 of 14');
      press(consent, '[data-all]');
      await consent.updateComplete;
      expect(boxes()).to.have.length(14);
      expect(consent.shadowRoot!.querySelector('[data-all]')).to.equal(null);
      boxes()[5]!.click();
      await consent.updateComplete;
      expect(textOf(consent, '.buttons .chosen')).to.equal('Notes: 3 of 14');
      // No title is drawn over the next choice.
      const places = boxes().map((box) => box.parentElement!.getBoundingClientRect());
      const spans = boxes().map((box) => box.nextElementSibling!.getBoundingClientRect());
      for (const [index, { bottom }] of spans.slice(0, -1).entries())
        expect(bottom, `${index}`).to.be.at.most(places[index + 1]!.top + 1);
      await expect(consent).to.be.accessible();
      await agree(consent);
      expect((await answer).content).to.deep.equal({ notes: ['n3', 'n11', 'n13'] });
    });

    it('shows all that is ticked in advance, however much', async () => {
      const consent = await create();
      const all = Array.from({ length: 40 }, (_, n) => `n${n}`);
      const notes = { type: 'array', items: { enum: all }, default: all.slice(5, 30) };
      await ask(consent, {
        ...WHO,
        requestedSchema: { type: 'object', properties: { notes } },
      });
      const boxes = [...consent.shadowRoot!.querySelectorAll<HTMLInputElement>('.check > input')];
      expect(boxes.map(({ checked }) => checked)).to.deep.equal(Array(25).fill(true));
    });
  });

  it('has the title and the buttons of the page, where the page asks', async () => {
    const consent = await create();
    const requestedSchema = { type: 'object', properties: { all: { type: 'boolean' } } };
    const texts = { title: 'Let it in?', yes: 'Let it in', no: 'Not now' };
    const answer = consent.ask({ message: 'It wants to read.', requestedSchema, texts });
    const title = await eventually(() => consent.shadowRoot!.querySelector('h2'));
    await eventually(() => consent.shadowRoot!.querySelector('.once'));
    const wordsOf = (selector: string): string =>
      consent.shadowRoot!.querySelector(selector)!.textContent!.trim();
    expect([title.textContent, wordsOf('.once'), wordsOf('.decline')]).to.deep.equal([
      'Let it in?',
      'Let it in',
      'Not now',
    ]);
    expect(consent.shadowRoot!.textContent).not.to.contain('passwords');
    await expect(consent).to.be.accessible();
    press(consent, '.decline');
    expect(await answer).to.deep.equal({ decision: 'decline' });
  });

  describe('for other packages', () => {
    it('is the confirm of a runtime', async () => {
      const consent = await create();
      const confirm: Confirm = consent.asConfirm();
      const { signal } = new AbortController();
      const yes = confirm({ ...DELETE, arguments: { text: 'the exact words' } }, { signal });
      const shown = await eventually(() => consent.shadowRoot!.querySelector('[part=arguments]'));
      expect(shown.textContent).to.contain('the exact words');
      await agree(consent);
      expect(await yes).to.equal(true);
      const no = confirm({ ...DELETE, arguments: {} }, { signal });
      await eventually(() => consent.shadowRoot!.querySelector('.once'));
      press(consent, '.decline');
      expect(await no).to.equal(false);
    });

    it('is the elicit of a client', async () => {
      const consent = await create();
      const elicit: Elicit = consent.asElicit({ requester: 'Parcels' });
      const { signal } = new AbortController();
      const details = elicit(WHO, { signal });
      const input = await eventually(() => consent.shadowRoot!.querySelector('input'));
      input.value = 'Ada';
      input.dispatchEvent(new Event('input'));
      await agree(consent);
      expect(await details).to.deep.equal({ action: 'accept', content: { name: 'Ada' } });
      for (const [selector, action] of [
        ['.decline', 'decline'],
        ['dialog', 'cancel'],
      ] as const) {
        const next = elicit(WHO, { signal });
        await eventually(() => consent.shadowRoot!.querySelector('.once'));
        if (selector === 'dialog') dialogOf(consent).close();
        else press(consent, selector);
        expect((await next).action).to.equal(action);
      }
    });

    it('answers the question of the real server before it deletes a note', async () => {
      const consent = await create();
      const linked = await openLinkedServer();
      const client = await connectClient(
        new MessagePortTransport(linked.openPort({ write: 'ask', tools: 'all' })),
        { elicit: consent.asElicit({ requester: 'Notes' }) },
      );
      const own = await linked.connect();
      const created = await own.callTool('create_note', { title: 'Shopping', text: 'milk' });
      const { id } = created.structuredContent as { id: string };
      const deleted = client.callTool('delete_note', { id });
      await eventually(() => isOpen(consent) && consent.shadowRoot!.querySelector('.words'));
      expect(textOf(consent, '.words')).to.match(/^Delete the note "Shopping" \(note:.*\)\?$/);
      await agree(consent);
      expect(await deleted).to.not.have.property('isError', true);
      await Promise.all([client.close(), own.close()]);
      await linked.server.close();
      await deleteDatabase(linked.databaseName);
    });
  });
});
