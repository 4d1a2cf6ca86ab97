import type { Prompt, PromptArgument } from '@inpage-mcp/client';
import type { CompletedField } from '../../fields/options/completed-field.js';
import { usableArguments } from '../../reading/gate.js';

/** The arguments of a prompt, and what the user has filled in. */
export class PromptArguments {
  readonly fields: readonly CompletedField[];
  #values: { readonly [name: string]: string };

  /** @param values Values by name, also of arguments that the prompt does not have. */
  constructor(prompt: Prompt, values: { readonly [name: string]: string } = {}) {
    this.fields = usableArguments(prompt).map(fieldOf);
    this.#values = values;
  }

  /** All that the user has filled in, by name. */
  get values(): { readonly [name: string]: string } {
    return this.#values;
  }

  /** What is filled in for an argument. */
  valueOf(name: string): string {
    return Object.hasOwn(this.#values, name) ? this.#values[name]! : '';
  }

  set(name: string, value: string): void {
    this.#values = { ...this.#values, [name]: value };
  }

  /** The names of the required arguments without a value. */
  get missing(): readonly string[] {
    return this.fields
      .filter(({ name, isRequired }) => isRequired && this.valueOf(name).trim() === '')
      .map(({ name }) => name);
  }

  /** The arguments that are filled in and that the prompt has. */
  get filledIn(): { [name: string]: string } {
    const filled = this.fields.flatMap(({ name }) => {
      const value = this.valueOf(name);
      return value === '' ? [] : [[name, value] as const];
    });
    return Object.fromEntries(filled);
  }

  /** Whether the same is filled in for the same arguments. */
  hasSameValues(other: PromptArguments | undefined): boolean {
    return JSON.stringify(this.filledIn) === JSON.stringify(other?.filledIn);
  }
}

function fieldOf({ name, title, description, required }: PromptArgument): CompletedField {
  return { name, label: title?.trim() || name, description, isRequired: required };
}
