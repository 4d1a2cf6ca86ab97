/** What a run checks, in the words of its report. */
export const CHECKS = {
  answered: 'every request is answered, and what is wrong is refused',
  once: 'nothing is answered twice',
  right: 'valid requests get the answer that they have to get',
  asked: 'nothing comes that nobody asked for',
  shape: 'whatever comes is a message of JSON-RPC',
  open: 'connections stay open',
  flood: 'a guest that floods is sent away, and may come again',
  start: 'a connection that begins with nonsense can be used',
  calm: 'the runtime reports no error and no restart',
  page: 'the page can still use its runtime',
} as const;

export type Check = keyof typeof CHECKS;

/** Something that should not have happened. */
export interface Failure {
  check: Check;
  text: string;
  /** Which hostile messages it may be about: from the first of them, so many. */
  seed: number;
  from: number;
  count: number;
}

/** Enough to see what is wrong. */
const MAX_FAILURES = 20;

/** Each of these took a long time. */
const MAX_UNANSWERED = 2;

/** Counts what goes and comes during a run. */
export class Tally {
  readonly failures: Failure[] = [];
  /** How many of each kind were sent: of messages, and of the hostile values in them. */
  kinds: { [kind: string]: number } = {};
  values: { [kind: string]: number } = {};
  /** How many answers there were of each error code; `result` is one, too. */
  codes: { [code: string]: number } = {};
  /** How many could not be posted at all. */
  uncloneable = 0;
  sent = 0;
  /** Which hostile messages are under way. */
  block = { seed: 0, from: 0, count: 0 };
  durationMs = 0;

  get isHopeless(): boolean {
    const unanswered = this.failures.filter(({ check }) => check === 'answered');
    return this.failures.length >= MAX_FAILURES || unanswered.length >= MAX_UNANSWERED;
  }

  fail(check: Check, text: string): void {
    if (!this.isHopeless) this.failures.push({ check, text, ...this.block });
  }

  /** What the warm-up has sent is not of the run; what it has found is. */
  forgetCounts(): void {
    this.kinds = {};
    this.values = {};
    this.codes = {};
    this.uncloneable = 0;
    this.sent = 0;
  }

  add(counts: { [key: string]: number }, key: string): void {
    counts[key] = (counts[key] ?? 0) + 1;
  }
}
