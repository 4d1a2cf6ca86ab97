import { runtime } from './opened.js';

/** One write. The title of a note is never changed: it is by what a note is known. */
export type PlannedWrite =
  | ({ type: 'create' } & PlannedNote)
  | { type: 'createAll'; notes: PlannedNote[] }
  | ({ type: 'update' } & PlannedNote)
  | { type: 'delete'; title: string }
  | { type: 'write'; path: string; pattern: string; size: number }
  | { type: 'move'; from: string; to: string }
  | { type: 'remove'; path: string };

interface PlannedNote {
  title: string;
  text: string;
}

/** The ids of notes by their titles. */
type Ids = Map<string, string>;

/**
 * Makes writes in their order, in several lanes at once; within a lane the next begins when the one
 * before was acknowledged.
 *
 * @param acknowledged Hears of each, and resolves when it has.
 */
export async function writePlanned(
  lanes: PlannedWrite[][],
  acknowledged: (lane: number, index: number) => Promise<void>,
): Promise<void> {
  const ids: Ids = new Map();
  for (let before: string | undefined; ;) {
    const page = await runtime.notes.list(before === undefined ? {} : { before });
    for (const { id, title } of page.notes) ids.set(title, id);
    before = page.next;
    if (before === undefined) break;
  }
  await Promise.all(
    lanes.map(async (writes, lane) => {
      for (const [index, write] of writes.entries()) {
        await make(write, ids);
        // Whoever counts has to have heard of it, so that of each lane one write is in doubt, not more.
        await acknowledged(lane, index);
      }
    }),
  );
}

async function make(write: PlannedWrite, ids: Ids): Promise<void> {
  const { notes, files } = runtime;
  switch (write.type) {
    case 'create': {
      const { title, text } = write;
      ids.set(title, (await notes.create({ title, text })).id);
      return;
    }
    case 'createAll':
      for (const { title, id } of await notes.createAll(write.notes)) ids.set(title, id);
      return;
    case 'update':
      await notes.update(ids.get(write.title)!, { text: write.text });
      return;
    case 'delete':
      await notes.delete(ids.get(write.title)!);
      return;
    case 'write':
      await files.write(write.path, new Blob([patterned(write)]));
      return;
    case 'move':
      await files.move(write.from, write.to);
      return;
    case 'remove':
      await files.delete(write.path);
      return;
  }
}

function patterned({ pattern, size }: { pattern: string; size: number }): string {
  return pattern.repeat(Math.ceil(size / pattern.length)).slice(0, size);
}
