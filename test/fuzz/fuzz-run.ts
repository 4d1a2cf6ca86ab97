import type { Runtime } from '@inpage-mcp/runtime';
import { isJsonRpcMessage } from '@inpage-mcp/transport';
import { firstWords, hostileCase, validCase, type Case, type CaseContext } from './cases.js';
import { FuzzedPort } from './fuzzed-port.js';
import { Random } from './random.js';
import type { Speech } from './speech.js';
import type { Tally } from './tally.js';
import type { Stored } from './valid-requests.js';

/** Which messages to send. */
export interface RunOptions {
  seed: number;
  /** How many hostile ones. */
  count: number;
  /** The index of the first of them. */
  from: number;
}

/** So many hostile messages are sent before all of them have to be answered. */
export const BLOCK = 100;

/** One in so many messages goes to a connection that has said nothing before. */
const NEW_CONNECTION = 1 / 250;

/** How many valid requests there are for each hostile message. */
const VALID = 1 / 3;

/** One in so many blocks is followed by a guest that floods. */
const BLOCKS_PER_FLOOD = 250;

/** More than a guest may send and be refused in a row, also where few are looked at in a second. */
const FLOOD = 5_000;

/**
 * What takes long to read and is more than a message may be. A guest that sends it is not served for a
 * while, if it has taken the machine a quarter of a second: see test/scenarios/hostile-frame.test.ts.
 */
const SLOW_TO_READ = ['64 MB string', 'long string', 'wide'];

/** What tools have written is thrown away after so many blocks. */
const BLOCKS_PER_CLEANING = 20;

/** The connections that live as long as the run, each as often as its weight says. */
const SPEECHES: readonly (Speech & { weight: number })[] = [
  { revision: '2026-07-28', limits: 'page', weight: 8 },
  { revision: '2026-07-28', limits: 'guest', weight: 1 },
  { revision: '2025-11-25', limits: 'page', weight: 4 },
  { revision: '2025-11-25', limits: 'guest', weight: 1 },
  { revision: '2025-06-18', limits: 'page', weight: 2 },
  { revision: '2025-03-26', limits: 'page', weight: 5 },
  { revision: '2024-11-05', limits: 'page', weight: 2 },
];

interface Door {
  speech: Speech;
  weight: number;
  port: FuzzedPort;
}

/** Sends hostile messages to a live runtime, block by block. */
export class FuzzRun {
  readonly #runtime: Runtime;
  readonly #stored: Stored;
  readonly #tally: Tally;
  #doors: Door[] = [];

  constructor(runtime: Runtime, stored: Stored, tally: Tally) {
    this.#runtime = runtime;
    this.#stored = stored;
    this.#tally = tally;
  }

  async open(): Promise<void> {
    for (const { weight, ...speech } of SPEECHES) {
      this.#doors.push({ speech, weight, port: await this.#openPort(speech) });
    }
  }

  async send({ seed, count, from }: RunOptions): Promise<void> {
    for (let start = from; start < from + count; start += BLOCK) {
      if (this.#tally.isHopeless) return;
      const size = Math.min(BLOCK, from + count - start);
      this.#tally.block = { seed, from: start, count: size };
      await this.#sendBlock(seed, start, size);
      const number = Math.floor(start / BLOCK) + 1;
      if (number % BLOCKS_PER_CLEANING === 0) await this.#clean();
      if (number % BLOCKS_PER_FLOOD === 0) await this.#flood(new Random(seed, start, 1), start);
    }
  }

  close(): void {
    for (const { port } of this.#doors) port.close();
    this.#doors = [];
  }

  async #sendBlock(seed: number, start: number, size: number): Promise<void> {
    const beginnings: Promise<void>[] = [];
    for (let index = start; index < start + size; index += 1) {
      const random = new Random(seed, index);
      if (random.chance(NEW_CONNECTION)) beginnings.push(this.#beginBadly(random, index));
      const door = random.pickWeighted(this.#doors);
      const hostile = hostileCase(random, index, this.#contextOf(door.port));
      const isSlow = hostile.values.some((kind) => SLOW_TO_READ.includes(kind));
      if (!(isSlow && door.speech.limits === 'guest')) this.#post(door.port, hostile);
      if (!random.chance(VALID)) continue;
      const other = random.chance(0.5) ? door : random.pickWeighted(this.#doors);
      this.#post(other.port, validCase(random, index, this.#contextOf(other.port)));
    }
    await Promise.all([...beginnings, ...this.#doors.map(({ port }) => port.settle())]);
    for (const door of this.#doors) {
      if (door.port.hasEnded) door.port = await this.#openPort(door.speech);
    }
  }

  /** A new connection receives nonsense first, and has to be usable for all that. */
  async #beginBadly(random: Random, index: number): Promise<void> {
    const speech = random.pick(SPEECHES);
    const port = new FuzzedPort(await this.#rawPort(speech), speech, this.#tally);
    const words = firstWords(random, index, this.#contextOf(port));
    for (const one of words) this.#post(port, one);
    await port.settle();
    // The first message, if it is one, decides what is spoken.
    if (!port.hasEnded && !words.some(({ message }) => isJsonRpcMessage(message))) {
      await port.begin();
      this.#post(port, validCase(random, index, this.#contextOf(port)));
      await port.settle();
    }
    if (port.hasEnded) this.#tally.fail('start', 'Nonsense at the start has ended a connection.');
    port.close();
  }

  /** A guest that sends as much as it can is sent away, without an answer too many. */
  async #flood(random: Random, index: number): Promise<void> {
    const speech: Speech = { revision: '2026-07-28', limits: 'guest' };
    const port = await this.#openPort(speech);
    for (let position = 0; position < FLOOD; position += 1) {
      const context = { ...this.#contextOf(port), recentIds: [] };
      const number = index * FLOOD + position;
      const make = random.chance(0.5) ? validCase : hostileCase;
      this.#post(port, make(new Random(random.below(2 ** 31), position), number, context));
    }
    if (!(await port.ended())) this.#tally.fail('flood', 'A flooding guest was not sent away.');
    port.close();
  }

  #post(port: FuzzedPort, one: Case): void {
    this.#tally.add(this.#tally.kinds, one.kind);
    for (const kind of one.values) this.#tally.add(this.#tally.values, kind);
    port.post(one);
  }

  #contextOf(port: FuzzedPort): CaseContext {
    return { speech: port.speech, stored: this.#stored, recentIds: port.recentIds };
  }

  async #openPort(speech: Speech): Promise<FuzzedPort> {
    const port = new FuzzedPort(await this.#rawPort(speech), speech, this.#tally);
    await port.begin();
    return port;
  }

  #rawPort({ limits }: Speech): Promise<MessagePort> {
    return this.#runtime.openPort({ limits });
  }

  /** Deletes the notes that tools have created; also a sign of life of the control plane. */
  async #clean(): Promise<void> {
    const { notes } = await this.#runtime.notes.list();
    const written = notes.filter(({ id }) => id !== this.#stored.noteId);
    await Promise.all(written.map(({ id }) => this.#runtime.notes.delete(id)));
    const { text } = await this.#runtime.notes.get(this.#stored.noteId);
    if (text !== this.#stored.noteText) this.#tally.fail('page', 'The note has another text now.');
  }
}
