import type { ResourceTemplate, McpClient, CompleteResult } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { html, type TemplateResult } from 'lit';
import { icon, iconFor } from '../../base/look/icons.js';
import { decodeSafely } from '../../base/text/decode-safely.js';
import { truncateText } from '../../base/text/truncate-text.js';
import { searchableTexts, translateText } from '../../base/text/translate-text.js';
import {
  missingIn,
  textIn,
  type TypedValues,
  type CompletedField,
} from '../../fields/options/completed-fields.js';
import type { Catalog } from '../../reading/catalog.js';
import { expandTemplate, parseTemplate, type Part, type Value } from './uri-template.js';

/** The texts by which a template is found. */
export function textsOf(template: ResourceTemplate): readonly unknown[] {
  const { title, name, uriTemplate, description } = template;
  return searchableTexts([title, name, uriTemplate, description]);
}

/** The title of a template for people. */
export function titleOf({ title, name, uriTemplate }: ResourceTemplate): string {
  return truncateText(translateText(title?.trim() || name.trim())) || truncateText(uriTemplate);
}

/** A template as an option of the list. */
export function renderTemplate(template: ResourceTemplate): TemplateResult {
  return html`${icon(iconFor(template.mimeType))}
    <span class="texts">
      <span class="one-line" part="title">${titleOf(template)}</span>
      <span class="one-line details" part="details">${truncateText(template.uriTemplate)}</span>
    </span>`;
}

/** The part of the address that is shown, in UTF-16 code units. */
const MAX_ADDRESS_LENGTH = 1_000;

/** The address that results from a template. */
export function renderAddress(address: string): TemplateResult {
  return html`<div class="result">
    <span class="label" id="address">${msg('Address', { id: 'mcp.template-form.address' })}</span>
    <output part="uri" dir="ltr" aria-labelledby="address"
      >${truncateText(address, MAX_ADDRESS_LENGTH)}</output
    >
  </div>`;
}

/** The template of the list that is shown: the one that the user chooses, or the only one. */
export class TemplateChoice {
  #client: McpClient | undefined;
  #isOfOtherClient = false;
  /** The texts for templates that are not shown now, by URI template. */
  readonly #typed = new Map<string, TypedValues>();
  /** The chosen URI template. */
  chosen: string | undefined;

  /** Follows changes of the list. A template stays chosen, unless another server does not have it. */
  update(
    client: McpClient | undefined,
    { entries, status }: Pick<Catalog<ResourceTemplate>, 'entries' | 'status'>,
  ): void {
    if (client && client !== this.#client) {
      this.#client = client;
      this.#typed.clear();
      this.#isOfOtherClient = true;
    }
    if (status !== 'ready') return;
    const isListed = entries.some(({ uriTemplate }) => uriTemplate === this.chosen);
    if (this.#isOfOtherClient && !isListed) this.chosen = undefined;
    this.#isOfOtherClient = false;
    if (entries.length === 1) this.chosen ??= entries[0]!.uriTemplate;
  }

  /** Chooses a template. Returns the texts that were typed for it before. */
  choose(uriTemplate: string): TypedValues {
    this.chosen = uriTemplate;
    return this.#typed.get(uriTemplate) ?? {};
  }

  /** Goes back to the list, and keeps the typed texts of the template until it is chosen again. */
  leave(values: TypedValues): void {
    if (this.chosen !== undefined) this.#typed.set(this.chosen, values);
    this.chosen = undefined;
  }
}

/** A template with its variables; or the error in it. */
export class ShownTemplate {
  readonly template: ResourceTemplate;
  /** A field for each variable; none if the template is malformed. */
  readonly fields: readonly CompletedField[];
  /** The reason why the template is malformed. */
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

  /** The address; `undefined` while required values are missing, and for a malformed template. */
  uri(values: TypedValues): string | undefined {
    const isComplete = this.#parts !== undefined && this.missing(values).length === 0;
    return isComplete ? this.draft(values) : undefined;
  }

  /** Values that the server suggests for a variable, by its typed text and the other values. */
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
 * A field for each variable; each name has only one. A variable of `{var}` and `{+var}` is required, because
 * the uri would have a gap without it. A variable with `*` takes a list.
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
        label: decodeSafely(name),
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

/** The larger limit; a variable that is whole in one place is not limited by another place. */
function longest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : Math.max(one, other);
}

function valueOf(text: string, isList: boolean): Value {
  if (!isList) return text === '' ? undefined : text;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length === 0 ? undefined : lines;
}
