import type { McpClient } from '@inpage-mcp/runtime';
import { answerOf } from '../../support/database.js';
import { close, open, runtime, worker } from './opened.js';

/** What became of the writes during which the worker was stopped. */
export interface Terminations {
  /** How many were acknowledged before the worker was stopped. */
  acknowledged: number;
  /** How many were committed and never acknowledged. */
  unacknowledged: number;
  /** How many had not been made. */
  undone: number;
  /** How many had to be tried again by hand: the runtime or the client gave up. */
  triedAgain: number;
  problems: string[];
}

/** The supervisor gives up at the sixth death within a minute. */
const DEATHS_OF_A_RUNTIME = 5;

/** Stops the worker during so many writes; each is tried again with its key until it is acknowledged. */
export async function terminateWorkers(
  databaseName: string,
  rounds: number,
): Promise<Terminations> {
  const result = { acknowledged: 0, unacknowledged: 0, undone: 0, triedAgain: 0, problems: [] };
  const tally: Terminations = result;
  await open(databaseName);
  const { id } = await runtime.notes.create({ title: 'Appended', text: '' });
  for (let round = 0; round < rounds;) {
    const client = await runtime.connect();
    for (let death = 0; death < DEATHS_OF_A_RUNTIME && round < rounds; death += 1, round += 1) {
      await writeAndTerminate(databaseName, tally, writeOf(client, id, round), `key ${round}`);
    }
    await close();
    await open(databaseName);
  }
  await compare(tally, id, rounds);
  return tally;
}

/** One of several kinds of writes; all are known by the number of the round. */
function writeOf(client: McpClient, id: string, round: number): (key: string) => Promise<unknown> {
  const kinds: ((key: string) => Promise<unknown>)[] = [
    (idempotencyKey) =>
      callTool(client, 'create_note', {
        title: `Round ${round}`,
        text: textOf(round),
        idempotencyKey,
      }),
    (idempotencyKey) =>
      callTool(client, 'append_to_note', { id, text: `line ${round}`, idempotencyKey }),
    (idempotencyKey) =>
      runtime.notes.create({ title: `Round ${round}`, text: textOf(round) }, { idempotencyKey }),
    (idempotencyKey) =>
      runtime.files.write(`round ${round}.txt`, new Blob([textOf(round)]), { idempotencyKey }),
  ];
  return kinds[round % kinds.length]!;
}

/** Every second kind is long enough for Chromium to keep it in a file of its own. */
function textOf(round: number): string {
  return `text of round ${round}, `.repeat(round % 3 === 0 ? 5_000 : 5);
}

async function callTool(client: McpClient, name: string, args: object): Promise<void> {
  const { isError, content } = await client.callTool(name, { ...args });
  if (isError) throw new Error(JSON.stringify(content));
}

async function writeAndTerminate(
  databaseName: string,
  tally: Terminations,
  write: (key: string) => Promise<unknown>,
  key: string,
): Promise<void> {
  let isAcknowledged = false;
  const first = write(key).then(() => (isAcknowledged = true));
  first.catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
  worker.terminate();
  const before = isAcknowledged;
  const kept = await isKept(databaseName, key);
  if (before) tally.acknowledged += 1;
  else if (kept) tally.unacknowledged += 1;
  else tally.undone += 1;
  if (before && !kept) tally.problems.push(`${key} was acknowledged and is not there.`);
  try {
    await first;
  } catch {
    tally.triedAgain += 1;
    await write(key).catch((error: unknown) => {
      tally.problems.push(`${key} tried again: ${String(error)}`);
    });
  }
  // Another retry, of what is acknowledged: it must change nothing either.
  await write(key);
}

/** Whether the database knows the key, looked up past all code of ours. */
async function isKept(databaseName: string, key: string): Promise<boolean> {
  const database = await answerOf(indexedDB.open(databaseName));
  const store = database.transaction('once').objectStore('once');
  const count = await answerOf(store.count(IDBKeyRange.only(key)));
  database.close();
  return count > 0;
}

async function compare(tally: Terminations, id: string, rounds: number): Promise<void> {
  const all = Array.from({ length: rounds }, (_, round) => round);
  const ofKinds = (...kinds: number[]) => all.filter((round) => kinds.includes(round % 4));
  const same = (name: string, found: string[], expected: string[]): void => {
    if (JSON.stringify(found.toSorted()) === JSON.stringify(expected.toSorted())) return;
    tally.problems.push(`${name}: ${found.join()} instead of ${expected.join()}`);
  };
  const { notes } = await runtime.notes.list({ limit: 10_000 });
  const titles = notes.map(({ title }) => title).filter((title) => title !== 'Appended');
  same(
    'notes',
    titles,
    ofKinds(0, 2).map((round) => `Round ${round}`),
  );
  for (const round of ofKinds(0, 2)) {
    const note = notes.find(({ title }) => title === `Round ${round}`);
    const text = note && (await runtime.notes.get(note.id)).text;
    if (text !== textOf(round)) tally.problems.push(`The text of round ${round} is another.`);
  }
  const { text } = await runtime.notes.get(id);
  same(
    'lines',
    text.split('\n').filter(Boolean),
    ofKinds(1).map((round) => `line ${round}`),
  );
  const { files } = await runtime.files.list({ limit: 10_000 });
  same(
    'files',
    files.map(({ path }) => path),
    ofKinds(3).map((round) => `round ${round}.txt`),
  );
  for (const { path, revision } of files) {
    const { blob } = await runtime.files.read(path);
    const round = Number(/\d+/.exec(path)?.[0]);
    if ((await blob.text()) !== textOf(round)) tally.problems.push(`${path} has other bytes.`);
    if (revision !== 1) tally.problems.push(`${path} was written ${revision} times.`);
  }
}
