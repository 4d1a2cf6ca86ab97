import type { Checked, Issue } from './types.js';

/** The maximum number of issues of one validation. A value may have many more. */
const MAX_ISSUES = 20;

/** Whether a value is valid. If it is not, the reason is reported, if the validation collects issues. */
export type Test = (value: unknown, validation: Validation) => boolean;

/** Checks a value by a test. */
export function checkBy(test: Test, value: unknown): Checked {
  const validation = new Validation();
  return test(value, validation) ? { value } : { issues: validation.issuesOf(test, value) };
}

/**
 * One validation of one value. It collects issues only in `issuesOf`, so that a valid value costs
 * as little as possible.
 */
export class Validation {
  #issues: Issue[] | undefined;
  readonly #path: PropertyKey[] = [];
  readonly #results = new Map<Test, Map<object, boolean>>();
  #inUnion = false;

  /** Whether to continue after a failure, to collect another issue. */
  get collects(): boolean {
    return this.#issues !== undefined && this.#issues.length < MAX_ISSUES;
  }

  /** Whether the whole value is tested now. */
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

  /** Reports an issue of the value, or of its member at the path `below`. */
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

  /** Whether all members pass. After a failure, continues only to collect issues. */
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
   * Tests the target of a reference, once for each object. Otherwise a recursive schema with
   * several branches would visit a deep value twice as often at each level.
   */
  once(test: Test, value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return test(value, this);
    const results = this.#results.get(test) ?? new Map<object, boolean>();
    this.#results.set(test, results);
    let isValid = results.get(value);
    if (isValid === undefined) {
      // A reference to itself adds no condition.
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

  /** Reports the reason why a value passes none of several tests. */
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
