import { expect } from '@esm-bundle/chai';
import { startRuntime, type Runtime, type ServeFramesOptions } from '@inpage-mcp/runtime';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';
import { MODERN_META } from '../support/raw-client.js';
import { openGuest, removeFrames, type Guest } from '../transport/guest-frame.js';
import { ownOrigin } from './browser.js';

const parentOrigin = location.origin;
const LISTEN_ID = 'the same';
const TOKEN = 'token';
/** Messages that a guest may post at once are 500. */
const ROUNDS = 100;

/** What is looked at of a message; `null` is the end of the stream. */
interface Message {
  id?: number | string;
  method?: string;
  params?: { [key: string]: unknown; uri?: string; _meta?: { [key: string]: unknown } };
  result?: { contents?: { uri: string; text: string }[] };
  error?: unknown;
}

function request(id: number | string, method: string, params: object = {}, meta = {}): Message {
  const message = { jsonrpc: '2.0', id, method };
  return { ...message, params: { ...params, _meta: { ...MODERN_META, ...meta } } };
}

const listen = (uri: string): Message =>
  request(LISTEN_ID, 'subscriptions/listen', { notifications: { resourceSubscriptions: [uri] } });

/** Reads, pages of the list and searches, with the ids 0, 1, 2, … */
function questions(uri: string, word: string): Message[] {
  return Array.from({ length: ROUNDS }, (_, round) => [
    request(3 * round, 'resources/read', { uri }),
    request(3 * round + 1, 'resources/list'),
    request(3 * round + 2, 'resources/read', { uri: `note:///search?q=${word}` }),
  ]).flat();
}

function byMethod(messages: (Message | null)[], method: string): Message[] {
  return messages.filter((message) => message?.method === method) as Message[];
}

/** Every id of the questions is answered once, and nothing else is but the stream. */
function expectEachAnsweredOnce(messages: (Message | null)[]): void {
  const ids = messages.map((message) => message?.id).filter((id) => typeof id === 'number');
  expect(ids.toSorted((a, b) => a - b)).to.deep.equal([...Array(3 * ROUNDS).keys()]);
  expect(messages.filter((message) => message?.error)).to.deep.equal([]);
}

describe('two frames of other origins that use the same ids at the same time', () => {
  let databaseName: string;
  let runtime: Runtime;
  const origins = [ownOrigin(), ownOrigin()] as const;
  const words = ['apples', 'bananas'] as const;
  let notes: string[];
  let guests: Guest[];

  beforeEach(async () => {
    databaseName = freshDatabaseName();
    runtime = await startRuntime({ databaseName });
    const created = words.map((word) => runtime.notes.create({ title: word, text: `${word} 0` }));
    notes = (await Promise.all(created)).map(({ id }) => id);
    guests = await Promise.all(
      origins.map(async (origin) => {
        const { guest } = await openGuest(`${origin}/test/fixtures/scenario-frame.html`);
        return guest;
      }),
    );
  });

  afterEach(async () => {
    removeFrames();
    await runtime.close();
    await deleteDatabase(databaseName);
  });

  const uriOf = (number: number): string => `note:///${notes[number]}`;
  const serve = async (access?: ServeFramesOptions['access']): Promise<void> => {
    await runtime.serveFrames({ allowedOrigins: origins, ...(access && { access }) });
    await Promise.all(guests.map((guest) => guest.do('openRaw', { parentOrigin })));
  };
  /** Changes both notes so often that either frame would be notified of the other's, too. */
  const change = async (): Promise<void> => {
    for (let count = 1; count <= 3; count += 1) {
      const updates = notes.map((id, number) =>
        runtime.notes.update(id, { text: `${words[number]} ${count}` }),
      );
      await Promise.all(updates);
    }
  };
  /** Asks everything of both at once; resolves with all that each port has received. */
  const askBoth = async (): Promise<(Message | null)[][]> =>
    await Promise.all(
      guests.map(async (guest, number) => {
        await guest.do('post', { all: [listen(uriOf(number))] });
        await guest.do('notified', {
          method: 'notifications/subscriptions/acknowledged',
          count: 1,
        });
        await guest.do('post', { all: questions(uriOf(number), words[number]!) });
        await change();
        const updated = { method: 'notifications/resources/updated', count: 1 };
        await guest.do('notified', updated);
        return await guest.do<(Message | null)[]>('answers', { count: 3 * ROUNDS });
      }),
    );

  /** Every notification is one of its own subscription, and names its own note. */
  const expectOwnNotifications = (messages: (Message | null)[], number: number): void => {
    for (const { params } of byMethod(messages, 'notifications/resources/updated')) {
      expect(params!.uri).to.equal(uriOf(number));
      expect(params!._meta!['io.modelcontextprotocol/subscriptionId']).to.equal(LISTEN_ID);
    }
  };
  const expectNothingOf = (other: number, message: Message | null): void => {
    expect(JSON.stringify(message)).not.to.contain(notes[other]);
    expect(JSON.stringify(message)).not.to.contain(words[other]);
  };
  const expectOwnReads = (messages: (Message | null)[], number: number): void => {
    for (const message of messages) {
      if (typeof message?.id !== 'number' || message.id % 3 !== 0) continue;
      const [contents] = message.result!.contents!;
      expect(contents!.uri).to.equal(uriOf(number));
      expect(contents!.text).to.match(new RegExp(`^${words[number]} \\d$`));
    }
  };

  it('each receives its own answers and notifications and nothing else, as guests', async () => {
    await serve();
    for (const [number, messages] of (await askBoth()).entries()) {
      expectEachAnsweredOnce(messages);
      expectOwnReads(messages, number);
      expectOwnNotifications(messages, number);
      for (const message of messages) {
        if (typeof message?.id !== 'number' || message.id % 3 !== 2) continue;
        expect(JSON.stringify(message.result)).to.contain(uriOf(number));
        expect(JSON.stringify(message.result)).not.to.contain(notes[1 - number]);
      }
    }
  });

  // 600 questions, while another test file may keep the disk busy with 100,000 notes.
  it('each sees only its part, where they may see different ones', async () => {
    await serve((origin) => ({ read: [uriOf(origins.indexOf(origin)), 'note:///search?'] }));
    for (const [number, messages] of (await askBoth()).entries()) {
      expectEachAnsweredOnce(messages);
      expectOwnReads(messages, number);
      expectOwnNotifications(messages, number);
      // Not in a list, not in a search, nowhere.
      for (const message of messages) expectNothingOf(1 - number, message);
    }
  });

  it('each receives the progress of its own call, with the same token', async () => {
    await serve({ tools: 'all', write: 'allow' });
    // Of another size each: the progress says whose it is.
    const files = [40_000, 50_000].map((size) => ({
      path: `f${size}.txt`,
      text: 'x'.repeat(size),
      size,
    }));
    await Promise.all(
      guests.map(async (guest, number) => {
        const { path, text } = files[number]!;
        const all = Array.from({ length: 10 }, (_, id) =>
          request(
            id,
            'tools/call',
            { name: 'save_file', arguments: { path, text } },
            { progressToken: TOKEN },
          ),
        );
        await guest.do('post', { all });
      }),
    );
    for (const [number, guest] of guests.entries()) {
      const messages = await guest.do<Message[]>('answers', { count: 10 });
      const results = messages.filter((message) => 'result' in message);
      expect(results).to.have.length(10);
      for (const { result } of results)
        expect(result, JSON.stringify(result)).not.to.have.property('isError');
      const progress = byMethod(messages, 'notifications/progress');
      expect(progress).not.to.be.empty;
      for (const { params } of progress) {
        expect(params).to.include({ progressToken: TOKEN, total: files[number]!.size });
      }
      expect(JSON.stringify(messages)).not.to.contain(files[1 - number]!.path);
    }
  });
});
