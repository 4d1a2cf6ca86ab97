/** What one round took: milliseconds by the name of the row. */
export interface Timings {
  [row: string]: number;
}

/** Runs once in each round. Only what it reports is timed: it may prepare and clean up as it likes. */
export type Candidate = () => Promise<Timings>;

/** A line of the table. */
export interface Row {
  name: string;
  medianMs: number;
  /** Half of the rounds lay between these two. */
  lowerQuartileMs: number;
  upperQuartileMs: number;
}

/** What a benchmark's `run()` resolves with; scripts/bench.mjs prints it. */
export interface Results {
  name: string;
  /** The name of the row that the others are compared with. */
  baseline: string;
  rows: Row[];
  /** Further ratios worth a line of their own: the first row's to the second's. */
  comparisons?: [row: string, to: string][];
  /** What was found out besides time, such as sizes; a line each. */
  remarks?: string[];
}

/** Compilation and caches: the first rounds are of another kind than the rest. */
const WARM_UP_ROUNDS = 3;

/**
 * Runs every candidate once per round, each round in another order, so that a slow moment of the
 * machine, and what one candidate leaves behind for the next, hits all of them alike.
 */
export async function measure(
  candidates: readonly Candidate[],
  { rounds, warmUpRounds = WARM_UP_ROUNDS }: { rounds: number; warmUpRounds?: number },
): Promise<Row[]> {
  for (let round = 0; round < warmUpRounds; round++) await runRound(candidates);
  const samples = new Map<string, number[]>();
  for (let round = 0; round < rounds; round++) {
    for (const [name, ms] of Object.entries(await runRound(candidates))) {
      samples.set(name, [...(samples.get(name) ?? []), ms]);
    }
  }
  return [...samples].map(([name, values]) => rowOf(name, values));
}

/** An operation, repeated one after the other where a single one is shorter than the clock's step. */
export function timed(
  row: string,
  operation: () => Promise<unknown>,
  { times = 1 }: { times?: number } = {},
): Candidate {
  return async () => {
    const start = performance.now();
    for (let count = 0; count < times; count++) await operation();
    return { [row]: (performance.now() - start) / times };
  };
}

/** Many operations under way at once; the row is the share of each. */
export function pipelined(
  row: string,
  operation: () => Promise<unknown>,
  { times }: { times: number },
): Candidate {
  return async () => {
    const start = performance.now();
    await Promise.all(Array.from({ length: times }, operation));
    return { [row]: (performance.now() - start) / times };
  };
}

/** A benchmark of something that fails, or finds nothing, would be fast and wrong. */
export function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`The benchmark is broken: ${what}.`);
}

/** One round in random order, its timings in the order of the candidates. */
async function runRound(candidates: readonly Candidate[]): Promise<Timings> {
  const timings: Timings[] = [];
  const shuffled = candidates
    .map((candidate, index) => ({ candidate, index, order: Math.random() }))
    .toSorted((a, b) => a.order - b.order);
  for (const { candidate, index } of shuffled) timings[index] = await candidate();
  return Object.assign({}, ...timings) as Timings;
}

function rowOf(name: string, values: readonly number[]): Row {
  const sorted = values.toSorted((a, b) => a - b);
  return {
    name,
    medianMs: quantile(sorted, 0.5),
    lowerQuartileMs: quantile(sorted, 0.25),
    upperQuartileMs: quantile(sorted, 0.75),
  };
}

function quantile(sorted: readonly number[], share: number): number {
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position % 1);
}
