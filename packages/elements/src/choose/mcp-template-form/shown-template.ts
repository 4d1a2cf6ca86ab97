import type { CompleteResult, McpClient, ResourceTemplate } from '@inpage-mcp/client';
import {
  missingIn,
  textIn,
  type CompletedField,
  type TypedValues,
} from '../../fields/options/completed-fields.js';
import { expandTemplate, parseTemplate, type Part, type Value } from './uri-template.js';

/** A template with its variables; or the error in it. */
export class ShownTemplate {
  readonly template: ResourceTemplate;
  /** A field for each variable; none if the template is malformed. */
  readonly fields: readonly CompletedField[];
  /** Why the template is malformed. */
  readonly error: unknown;
  readonly #parts: readonly Part[] | undefined;

  constructor(template: ResourceTemplate) {
    this.template = template;
    try {
      this.#parts = parseTemplate(template.uriTemplate);
    } catch (error) {
      this.error = error;
    }
    this.fields = this.#parts ? fieldsOf(this.#parts) : [];
  }

  /** The names of the required variables without a text. */
  missing(values: TypedValues): readonly string[] {
    return missingIn(this.fields, values);
  }

  /** The address so far. */
  draft(values: TypedValues): string {
    return uriOf(this.#parts ?? [], this.fields, values);
  }

  /** The address; `undefined` while required values are missing, and of a malformed template. */
  uri(values: TypedValues): string | undefined {
    const isComplete = this.#parts !== undefined && this.missing(values).length === 0;
    return isComplete ? this.draft(values) : undefined;
  }

  /** Values that the server suggests for a variable, from what is typed and the other values. */
  complete(
    client: McpClient | undefined,
    values: TypedValues,
    variable: { name: string; value: string },
    signal: AbortSignal,
  ): Promise<CompleteResult['completion']> | undefined {
    if (client?.serverCapabilities?.completions === undefined) return undefined;
    const others = Object.entries(values).filter(
      ([name, text]) => name !== variable.name && text !== '',
    );
    const ref = { type: 'ref/resource', uri: this.template.uriTemplate } as const;
    return client.complete(ref, variable, { context: Object.fromEntries(others), signal });
  }
}

/**
 * A field for each variable, each name once. A variable of `{var}` and `{+var}` is required: without
 * it, the uri would have a hole. A variable with `*` takes a list.
 */
function fieldsOf(parts: readonly Part[]): readonly CompletedField[] {
  const fields = new Map<string, CompletedField>();
  for (const part of parts) {
    if (typeof part === 'string') continue;
    const isRequired = part.operator === '' || part.operator === '+';
    for (const { name, isExploded, maxLength } of part.variables) {
      const before = fields.get(name);
      fields.set(name, {
        name,
        label: labelOf(name),
        isRequired: isRequired || before?.isRequired === true,
        isList: isExploded && before?.isList !== false,
        maxLength: before ? longest(before.maxLength, maxLength) : maxLength,
      });
    }
  }
  return [...fields.values()];
}

/** The uri; a variable without a text is not defined. */
function uriOf(
  parts: readonly Part[],
  fields: readonly CompletedField[],
  typed: TypedValues,
): string {
  const lists = new Set(fields.flatMap(({ name, isList }) => (isList ? name : [])));
  return expandTemplate(parts, (name) => valueOf(textIn(typed, name), lists.has(name)));
}

/** A variable that is whole in one place is not limited by another. */
function longest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : Math.max(one, other);
}

function valueOf(text: string, isList: boolean): Value {
  if (!isList) return text === '' ? undefined : text;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length === 0 ? undefined : lines;
}

function labelOf(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
