import { startRuntime, type Access, type Runtime } from '@inpage-mcp/runtime';
import type { McpClient } from '@inpage-mcp/client';
import { expect } from '@esm-bundle/chai';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';
import { isChromium } from '../support/engine.js';
import { secondOrigin } from '../support/second-origin.js';
import { sizeOf } from '../support/test-size.js';
import { openGuest, removeFrames, type Guest } from '../transport/guest-frame.js';
import { ownOrigin } from './browser.js';

const parentOrigin = location.origin;
const CONNECTIONS = 32;
const MEBIBYTE = 1024 * 1024;

/**
 * What the page and another frame may wait for a small read, of a hundred all but one, on a machine
 * that nobody else uses.
 */
const P99_MS = 250;

/**
 * What they wait there when nobody does anything: where they wait longer before an attack, the machine
 * is slower, or others use it.
 */
const CALM_P99_MS = 12;

/** How many long pieces of work of a frame a read may wait for: those of the others are after it. */
const PIECES = 3;

/** How many reads of each are looked at: the longest may be one that came at a bad moment. */
const READS = sizeOf({ quick: 25, ci: 25, soak: 200 });

/** Others on the machine can only make an attempt longer: the first that is quick enough is the proof. */
const ATTEMPTS = 3;

/** How many connections a frame opens that has lost its own. */
const AGAIN = 4;

interface Counts {
  answered: number;
  acknowledged: number;
  closed: number;
  refused: { [limit: string]: number };
}

interface Scene {
  runtime: Runtime;
  /** The page's own. */
  client: McpClient;
  hostile: Guest;
  neighbour: Guest;
  /** Of a small note. */
  uri: string;
}

/** What the frame may do, what it does, and what must hold then. */
interface Attack {
  access?: Access;
  /** Before anything is measured. Resolves with how long one piece of its work takes alone, if that is long. */
  prepare?(scene: Scene): Promise<number | void>;
  /** Resolves when what is expected can be seen. */
  begin(scene: Scene): Promise<void>;
  expect(counts: Counts): void;
}

/** How long so many reads take in the page; each that fails fails the test. */
async function pageReads({ client, uri }: Scene): Promise<number[]> {
  const times: number[] = [];
  while (times.length < READS) {
    const start = performance.now();
    await client.readResource(uri);
    times.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve));
  }
  return times;
}

/** The longer p99 of the page and of another frame, which read at the same time. */
async function p99Of(scene: Scene): Promise<number> {
  const all = await Promise.all([
    pageReads(scene),
    scene.neighbour.do<number[]>('read', { uri: scene.uri, times: READS }),
  ]);
  const p99s = all.map((times) => times.toSorted((a, b) => a - b)[Math.floor(READS * 0.99) - 1]!);
  return Math.max(...p99s);
}

/** Ends what was measured last, also where that has failed. */
let end = async (): Promise<void> => undefined;

/** How long reads take beside an attack, all but one in a hundred, on a machine of its own. */
async function p99Beside(attack: Attack): Promise<number> {
  const databaseName = freshDatabaseName();
  const confirm = (): Promise<boolean> => new Promise(() => undefined);
  const runtime = await startRuntime({ databaseName, confirm });
  end = async () => {
    removeFrames();
    await runtime.close();
    await deleteDatabase(databaseName);
  };
  const { calm, piece, p99 } = await measure(attack, runtime);
  await end();
  return p99 / Math.max(1, calm / CALM_P99_MS, (PIECES * piece) / P99_MS);
}

async function measure(
  attack: Attack,
  runtime: Runtime,
): Promise<{ calm: number; piece: number; p99: number }> {
  const hostileOrigin = ownOrigin();
  const { id } = await runtime.notes.create({ title: 'a', text: 'calm' });
  await runtime.serveFrames({
    allowedOrigins: [hostileOrigin, secondOrigin],
    access: (origin) => (origin === hostileOrigin ? (attack.access ?? {}) : {}),
  });
  const guestAt = async (origin: string, connections: number): Promise<Guest> => {
    const { guest } = await openGuest(`${origin}/test/fixtures/limits-guest.html`);
    await guest.do('open', { parentOrigin, connections });
    return guest;
  };
  const scene: Scene = {
    runtime,
    client: await runtime.connect(),
    hostile: await guestAt(hostileOrigin, CONNECTIONS),
    neighbour: await guestAt(secondOrigin, 1),
    uri: `note:///${id}`,
  };
  const calm = await p99Of(scene);
  const piece = (await attack.prepare?.(scene)) ?? 0;
  const [p99] = await Promise.all([p99Of(scene), attack.begin(scene)]);
  attack.expect(await scene.hostile.do<Counts>('counts'));
  return { calm, piece, p99 };
}

const COSTLY_TO_READ = 'sends messages that take long to read';

const attacks: { [what: string]: Attack } = {
  'opens streams with large messages': {
    async begin({ hostile }) {
      await hostile.do('post', {
        method: 'subscriptions/listen',
        params: { notifications: { toolsListChanged: true } },
        times: 9,
        fillerBytes: MEBIBYTE / 2,
      });
      await hostile.do('until', { name: 'refused', atLeast: 32 });
    },
    expect({ acknowledged, refused }) {
      expect(acknowledged).to.equal(256);
      expect(refused).to.deep.equal({ subscriptions: 32 });
    },
  },
  'has large writes wait for the user': {
    access: { write: 'ask', tools: 'all' },
    async begin({ hostile }) {
      const args = { title: 'a', text: 'x'.repeat(0.9 * MEBIBYTE) };
      const params = { name: 'create_note', arguments: args };
      await hostile.do('post', { method: 'tools/call', params, times: 2 });
      await hostile.do('until', { name: 'refused', atLeast: 2 * CONNECTIONS - 8 });
    },
    expect({ refused }) {
      expect(refused).to.deep.equal({ keptBytes: 2 * CONNECTIONS - 8 });
    },
  },
  'reads large contents': {
    async prepare({ runtime, client }) {
      await runtime.files.write('large.bin', new Blob([new Uint8Array(15 * MEBIBYTE)]));
      const start = performance.now();
      await client.readResource('file:///large.bin');
      return performance.now() - start;
    },
    async begin({ hostile }) {
      const params = { uri: 'file:///large.bin' };
      // As many as the rate lets through at once: they take a minute.
      await hostile.do('post', { method: 'resources/read', params, times: 15 });
      await hostile.do('until', { name: 'answered', atLeast: 1 });
    },
    expect({ answered, refused }) {
      expect(answered).to.be.within(1, 15 * CONNECTIONS - 1);
      // On a slow machine, the last of them wait in line until their deadline.
      expect(Object.keys(refused).filter((limit) => limit !== 'timeoutMs')).to.deep.equal([]);
    },
  },
  'sends as many requests as it can': {
    async begin({ uri, hostile }) {
      const flood = { method: 'resources/read', params: { uri }, times: 200, atLeast: CONNECTIONS };
      await hostile.do('postUntilClosed', flood);
    },
    expect({ refused }) {
      expect(refused, JSON.stringify(refused)).to.have.property('requestsPerSecond');
    },
  },
  'watches what the page edits': {
    async prepare({ hostile, uri }) {
      const params = { notifications: { resourceSubscriptions: [uri] } };
      await hostile.do('post', { method: 'subscriptions/listen', params, times: 9 });
      await hostile.do('until', { name: 'refused', atLeast: 32 });
    },
    async begin({ runtime, uri }) {
      const id = uri.slice('note:///'.length);
      for (let edit = 0; edit < 100; edit += 1) await runtime.notes.update(id, { text: `${edit}` });
    },
    expect({ acknowledged }) {
      expect(acknowledged).to.equal(256);
    },
  },
  [COSTLY_TO_READ]: {
    async begin({ hostile }) {
      await hostile.do('postKeys', { keys: 300_000, connections: 4 });
      await hostile.do('until', { name: 'closed', atLeast: CONNECTIONS });
      await hostile.do('open', { parentOrigin, connections: AGAIN });
      await hostile.do('until', { name: 'closed', atLeast: CONNECTIONS + AGAIN });
    },
    expect({ answered }) {
      expect(answered).to.equal(0);
    },
  },
};

describe('while one frame does its worst on 32 connections', () => {
  afterEach(() => end());

  for (const [what, attack] of Object.entries(attacks)) {
    it(`(${what}) the reads of the page and of another frame stay quick`, async function () {
      // For what hangs: on a busy machine, an attempt has taken a minute and a half.
      this.timeout(ATTEMPTS * 300_000);
      // In Firefox and WebKit nobody knows how long a message took to read.
      if (what === COSTLY_TO_READ && !isChromium) this.skip();
      const p99s = [await p99Beside(attack)];
      // timed: beside the reads of a page that nobody disturbs, a few times.
      while (p99s.at(-1)! >= P99_MS && p99s.length < ATTEMPTS) p99s.push(await p99Beside(attack));
      expect(p99s.at(-1), `all: ${p99s.join()} ms`).to.be.below(P99_MS);
    });
  }
});
