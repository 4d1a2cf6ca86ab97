import type { Issue } from './types.js';

/** The most that one validation reports. A value may be wrong in many more places. */
const MAX_ISSUES = 20;

/** Whether a value is valid. Reports why not if the validation collects issues. */
export type Test = (value: unknown, validation: Validation) => boolean;

/**
 * One validation of one value. It collects issues only if it was made to: a value that is
 * valid costs no more than it must.
 */
export class Validation {
  #issues: Issue[] | undefined;
  readonly #path: PropertyKey[] = [];
  readonly #results = new Map<Test, Map<object, boolean>>();
  #inUnion = false;

  /** Whether to go on after a failure, since there is room for another issue. */
  get collects(): boolean {
    return this.#issues !== undefined && this.#issues.length < MAX_ISSUES;
  }

  /** Whether what is tested now is the whole value. */
  get isAtRoot(): boolean {
    return this.#path.length === 0;
  }

  /** The issues of a value that did not pass a test. */
  issuesOf(test: Test, value: unknown): readonly Issue[] {
    const outer = this.#issues;
    const issues: Issue[] = [];
    this.#issues = issues;
    test(value, this);
    this.#issues = outer;
    return issues;
  }

  /** Reports what is wrong with the value, or with the member of it that `below` leads to. */
  fail(message: string, ...below: PropertyKey[]): false {
    if (this.collects) this.#issues?.push({ path: [...this.#path, ...below], message });
    return false;
  }

  /** Tests a member of a value. */
  member(key: PropertyKey, value: unknown, test: Test): boolean {
    if (!this.#issues) return test(value, this);
    this.#path.push(key);
    const isValid = test(value, this);
    this.#path.pop();
    return isValid;
  }

  /** Whether all members pass. Goes on after a failure only to collect issues. */
  every<Member>(members: readonly Member[], passes: (member: Member) => boolean): boolean {
    let isValid = true;
    for (const member of members) {
      if (passes(member)) continue;
      if (!this.collects) return false;
      isValid = false;
    }
    return isValid;
  }

  /** Tests without reporting. */
  isValid(test: Test, value: unknown): boolean {
    const issues = this.#issues;
    this.#issues = undefined;
    const isValid = test(value, this);
    this.#issues = issues;
    return isValid;
  }

  /**
   * Tests what a reference leads to, once for each object. A recursive schema with several branches
   * would otherwise visit a deep value twice as often at each level.
   */
  once(test: Test, value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return test(value, this);
    const results = this.#results.get(test) ?? new Map<object, boolean>();
    this.#results.set(test, results);
    let isValid = results.get(value);
    if (isValid === undefined) {
      // A reference that leads to itself adds no condition.
      results.set(value, true);
      isValid = this.isValid(test, value);
      results.set(value, isValid);
    }
    if (isValid || !this.collects) return isValid;
    // The value may contain itself.
    results.set(value, true);
    test(value, this);
    results.set(value, false);
    return false;
  }

  /** Reports why a value passes none of several tests. */
  failUnion(tests: readonly Test[], value: unknown): false {
    if (!this.collects) return false;
    if (this.#inUnion) return this.fail('has none of the allowed forms');
    this.#inUnion = true;
    const reports = tests.map((test) => this.issuesOf(test, value));
    this.#inUnion = false;
    if (reports.every(([issue]) => issue?.path.length === this.#path.length)) {
      return this.fail([...new Set(reports.map(([issue]) => issue?.message))].join(' or '));
    }
    const closest = reports.reduce((best, report) => (report.length < best.length ? report : best));
    this.#issues?.push(...closest);
    return false;
  }
}
