import { expect } from '@open-wc/testing';
import type { NotePayload } from '../../packages/sync/src/keys/payload.js';
import { mergeNote } from '../../packages/sync/src/merge/merge-entry.js';
import { Random } from '../fuzz/random.js';
import { noteOf } from './sync-under-test.js';

const ROUNDS = 200;
const STEPS = 40;
const WORDS = ['tea', 'milk', 'bread', 'red', 'blue'];

/** A record with compare and set, as on a server. */
class Server {
  note: NotePayload;
  version = 1;

  constructor(note: NotePayload) {
    this.note = note;
  }

  put(note: NotePayload, expected: number): boolean {
    if (expected !== this.version) return false;
    this.note = note;
    this.version += 1;
    return true;
  }
}

class Replica {
  readonly copies = new Map<string, NotePayload>();
  conflicts = 0;
  note: NotePayload;
  readonly #server: Server;
  #base: NotePayload;
  #version = 1;

  constructor(server: Server) {
    this.#server = server;
    this.note = this.#base = server.note;
  }

  /** Merges what the server has, and then writes, unless another replica was faster or the answer is lost. */
  async sync(isAnswerLost: boolean): Promise<void> {
    const { note, version } = this.#server;
    if (version !== this.#version) {
      const { merged, conflicts, copy } = await mergeNote(this.#base, this.note, note);
      this.conflicts += conflicts;
      if (copy) this.copies.set(copy.key, copy);
      this.note = merged;
      this.#base = note;
      this.#version = version;
    }
    if (contentOf(this.note) === contentOf(this.#base)) return;
    if (!this.#server.put(this.note, this.#version) || isAnswerLost) return;
    this.#base = this.note;
    this.#version += 1;
  }

  edit(change: (lines: string[]) => void, now: number): void {
    const lines = this.note.text.split('\n');
    change(lines);
    this.note = { ...this.note, text: lines.join('\n'), updatedAt: now };
  }
}

function contentOf({ title, text, tags }: NotePayload): string {
  return JSON.stringify([title, text, tags]);
}

/** What a person does to a note: a line that is never changed again, or lines and words that are. */
function editRandomly(random: Random, replica: Replica, inserted: string[], now: number): void {
  replica.edit((lines) => {
    const at = random.below(lines.length + 1);
    const others = [...lines.keys()].filter((index) => !/^line \d/.test(lines[index]!));
    const other = others.length > 0 ? random.pick(others) : undefined;
    const kind = other === undefined ? 0 : random.next();
    if (other === undefined || kind < 0.4) {
      inserted.push(`line ${now}`);
      lines.splice(at, 0, `line ${now}`);
    } else if (kind < 0.55) {
      lines.splice(other, 1);
    } else if (kind < 0.7) {
      lines.splice(at, 0, Array.from({ length: 4 }, () => random.pick(WORDS)).join(' '));
    } else {
      const words = lines[other]!.split(' ');
      words.splice(random.below(words.length + 1), random.below(2), random.pick(WORDS));
      lines[other] = words.join(' ');
    }
  }, now);
}

describe('three devices that merge one note', () => {
  it('end with the same note, which has every inserted line', async () => {
    let conflicts = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const random = new Random(round);
      const server = new Server(noteOf({ text: 'a list\n\ntea and milk\nred or blue bread\n' }));
      const replicas = [new Replica(server), new Replica(server), new Replica(server)];
      const inserted: string[] = [];
      for (let step = 0; step < STEPS; step += 1) {
        const replica = random.pick(replicas);
        if (random.chance(0.7)) editRandomly(random, replica, inserted, 10_000 + step);
        else await replica.sync(random.chance(0.2));
      }
      const settle = async () => {
        for (const replica of replicas) await replica.sync(false);
      };
      await settle();
      await settle();
      const { version } = server;
      await settle();
      expect(server.version, `round ${round}: writes without a change`).to.equal(version);
      const notes = new Set(
        [...replicas.map((replica) => replica.note), server.note].map(contentOf),
      );
      expect(notes.size, `round ${round}: different notes`).to.equal(1);
      expect(server.note.text.split('\n'), `round ${round}`).to.include.members(inserted);
      for (const replica of replicas) {
        expect(replica.copies.size).to.equal(0);
        conflicts += replica.conflicts;
      }
    }
    // Otherwise nothing has been shown.
    expect(conflicts).to.be.greaterThan(ROUNDS / 2);
  });

  it('end with the same text where each has merged for itself, without a server', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const random = new Random(round, 1);
      const server = new Server(noteOf({ text: 'a list\n\ntea and milk\nred or blue bread\n' }));
      const [mine, theirs] = [new Replica(server), new Replica(server)];
      const inserted: string[] = [];
      for (let step = 0; step < 6; step += 1) {
        editRandomly(random, random.pick([mine, theirs]), inserted, 10_000 + step);
      }
      const here = await mergeNote(server.note, mine.note, theirs.note);
      const there = await mergeNote(server.note, theirs.note, mine.note);
      expect(here).to.deep.equal(there);
      expect(here.merged.text.split('\n')).to.include.members(inserted);
      // A side that has merged before the other one does.
      for (const side of [mine, theirs]) {
        const again = await mergeNote(server.note, here.merged, side.note);
        expect(again.merged.text.split('\n')).to.include.members(inserted);
        const known = await mergeNote(side.note, here.merged, side.note);
        expect(known.merged.text).to.equal(here.merged.text);
      }
    }
  });
});
