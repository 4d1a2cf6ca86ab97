/** The page of `npm run fuzz`; scripts/fuzz.mjs calls these, in this order. */
import { startRuntime, type Runtime } from '@inpage-mcp/runtime';
import { BLOCK, FuzzRun, type RunOptions } from './fuzz-run.js';
import { CHECKS, Tally, type Check, type Failure } from './tally.js';
import type { Stored } from './valid-requests.js';

/** What a run has to say. */
export interface Report {
  /** What was checked. */
  checks: { [check in Check]: string };
  failures: Failure[];
  /** How many of each kind were sent: of messages, and of the hostile values in them. */
  kinds: { [kind: string]: number };
  values: { [kind: string]: number };
  /** How many answers there were of each error code; `result` is one, too. */
  codes: { [code: string]: number };
  sent: number;
  uncloneable: number;
  durationMs: number;
}

/** What comes before the memory is measured. */
const WARM_UP: RunOptions = { seed: 0, from: 0, count: 30 * BLOCK };

let runtime: Runtime;
let run: FuzzRun;
const tally = new Tally();

/** Starts the runtime. */
export async function start(): Promise<void> {
  runtime = await startRuntime({ databaseName: `fuzz-${crypto.randomUUID()}` });
  for (const type of ['error', 'restart', 'failed'] as const) {
    runtime.addEventListener(type, (event) => {
      const text = 'message' in event ? `: ${event.message}` : '';
      tally.fail('calm', `The runtime reports "${type}"${text}`);
    });
  }
}

/** Opens the connections, and sends enough for everything to be built that is lazy. */
export async function warmUp(): Promise<void> {
  run = new FuzzRun(runtime, await store(), tally);
  await run.open();
  await run.send(WARM_UP);
  tally.forgetCounts();
}

/** Sends the messages. Resolves when all were answered that have to be. */
export async function send(options: RunOptions): Promise<void> {
  const startedAt = performance.now();
  await run.send(options);
  tally.durationMs = performance.now() - startedAt;
}

/** Ends the connections, but not the runtime. */
export function closePorts(): void {
  run.close();
}

/** Ends the runtime, and reports what was seen. */
export async function finish(): Promise<Report> {
  await runtime.close();
  const { failures, kinds, values, codes, sent, uncloneable, durationMs } = tally;
  return { checks: CHECKS, failures, kinds, values, codes, sent, uncloneable, durationMs };
}

async function store(): Promise<Stored> {
  const noteText = 'calm';
  const filePath = 'folder/calm.txt';
  const { id: noteId } = await runtime.notes.create({ title: noteText, text: noteText });
  await runtime.files.write(filePath, new Blob([filePath], { type: 'text/plain' }));
  return { noteId, noteText, filePath };
}
