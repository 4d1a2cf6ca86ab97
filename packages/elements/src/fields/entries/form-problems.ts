import { innerOf, type Entry } from './entry.js';

/** What a control of a form can do, whichever it is. */
type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** The problems of a form that are shown, also at its controls. */
export class FormProblems {
  readonly #find: (selector: string) => Element | null;
  readonly #problems = new Map<string, string>();

  /** @param find Finds an element of the form. */
  constructor(find: (selector: string) => Element | null) {
    this.#find = find;
  }

  get count(): number {
    return this.#problems.size;
  }

  of({ id }: Entry): string | undefined {
    return this.#problems.get(id);
  }

  set(entry: Entry, problem: string | undefined): void {
    this.#control(entry)?.setCustomValidity(problem ?? '');
    if (problem === undefined) this.#problems.delete(entry.id);
    else this.#problems.set(entry.id, problem);
  }

  /** Shows the problems of an entry and of all in it that have a value. Returns whether there is none. */
  setAll(root: Entry | undefined, problemIn: (entry: Entry) => string | undefined): boolean {
    this.clear();
    for (const entry of root ? entriesIn(root) : []) this.set(entry, problemIn(entry));
    return this.count === 0;
  }

  /** Drops the problems of an entry that is removed. */
  forgetAll(entry: Entry): void {
    this.#problems.delete(entry.id);
    const all = 'children' in entry ? entry.children : innerOf(entry);
    for (const one of all) this.forgetAll(one);
  }

  clear(): void {
    this.#problems.clear();
  }

  /** What the browser says about the control of an entry; `undefined` if it is not drawn. */
  validity(entry: Entry): ValidityState | undefined {
    return this.#control(entry)?.validity;
  }

  #control({ id }: Entry): Control | undefined {
    const found = this.#find(`#${id}`);
    return found && 'validity' in found ? (found as Control) : undefined;
  }
}

/** The entries that have a value, the inner ones first. */
function entriesIn(entry: Entry): readonly Entry[] {
  if (entry.isNull) return [];
  return [...innerOf(entry).flatMap(entriesIn), entry];
}
