import { noChange } from 'lit';
import { Directive, directive, type ElementPart, type Part } from 'lit/directive.js';

/**
 * Sets a value when its control is created, and never again: the user edits it from there on, and
 * what they type may be no value yet, such as `12e` for a number.
 */
class FirstValue extends Directive {
  #isSet = false;

  override render(value: string): string {
    return value;
  }

  override update(_part: Exclude<Part, ElementPart>, [value]: [string]): unknown {
    if (this.#isSet) return noChange;
    this.#isSet = true;
    return value;
  }
}

export const firstValue = directive(FirstValue);
