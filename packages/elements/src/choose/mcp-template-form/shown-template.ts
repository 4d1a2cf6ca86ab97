import type { CompleteResult, McpClient, ResourceTemplate } from '@inpage-mcp/client';
import type { CompletedField } from '../../fields/options/completed-field.js';
import { fieldsOf, missingIn, uriOf, type TypedValues } from './template-fields.js';
import { parseTemplate, type Part } from './uri-template.js';

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
