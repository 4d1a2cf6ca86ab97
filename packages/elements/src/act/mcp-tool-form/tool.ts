import type { ListToolsResult, ToolAnnotations } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber } from '../../base/text/format.js';
import { writeJson } from '../../base/text/json-text.js';
import { truncateText } from '../../base/text/truncate-text.js';
import { searchableTexts, translateText } from '../../base/text/translate-text.js';
import { renderBack } from '../../fields/catalog/render-catalog.js';
import type { SchemaForm } from '../../fields/form/schema-form.js';
import { amountOf, fieldsOf, textOf, usableEntries, type Fields } from '../../reading/gate.js';

/** A tool in a form that can be shown. A client that checks nothing may deliver any value. */
export interface UsableTool {
  /** The name, exactly as the server has it. */
  readonly name: string;
  /** The title, for people. */
  readonly title: string;
  readonly description: string;
  readonly inputSchema: unknown;
  readonly annotations: ToolAnnotations;
  /** Whether it can only be called as a task, which the elements do not support (decision 54). */
  readonly needsTask: boolean;
  /** Whether its results have an app (MCP Apps). */
  readonly hasApp: boolean;
}

/** The maximum length of a tool's name; tools with longer names are not shown. */
const MAX_NAME_LENGTH = 1_000;

/** The part of a tool that is compared. */
const MAX_VERSION_LENGTH = 65_536;

/** The tools of a page of a list, and the number of entries that are not tools. */
export function usableTools(result: ListToolsResult): {
  entries: readonly UsableTool[];
  nextCursor: string | undefined;
  unusable: number;
} {
  const { tools, nextCursor, unusable } = fieldsOf(result);
  const [entries, lost] = usableEntries(tools, usableTool);
  return { entries, nextCursor: textOf(nextCursor), unusable: (amountOf(unusable) ?? 0) + lost };
}

function usableTool(tool: Fields): UsableTool | undefined {
  const { name, inputSchema } = tool;
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME_LENGTH) return undefined;
  const annotations = annotationsOf(fieldsOf(tool['annotations']));
  const title = shortText(tool['title'], 200) || annotations.title || truncateText(name);
  const description = shortText(tool['description'], 2_000);
  const needsTask = fieldsOf(tool['execution'])['taskSupport'] === 'required';
  const ui = fieldsOf(fieldsOf(tool['_meta'])['ui']);
  const hasApp = typeof ui['resourceUri'] === 'string';
  return { name, title, description, inputSchema, annotations, needsTask, hasApp };
}

/** Whether the user has nothing to check again, because neither the values nor the texts have changed. */
export function isSameTool(one: UsableTool | undefined, other: UsableTool | undefined): boolean {
  return one === other || (!!one && !!other && versionOf(one) === versionOf(other));
}

function versionOf(tool: UsableTool): string {
  return writeJson(tool, MAX_VERSION_LENGTH, 0).text;
}

function annotationsOf(annotations: Fields): ToolAnnotations {
  const hint = (name: string): boolean | undefined => {
    const value = annotations[name];
    return typeof value === 'boolean' ? value : undefined;
  };
  return {
    title: shortText(annotations['title'], 200),
    readOnlyHint: hint('readOnlyHint'),
    destructiveHint: hint('destructiveHint'),
    idempotentHint: hint('idempotentHint'),
    openWorldHint: hint('openWorldHint'),
  };
}

function shortText(value: unknown, maxLength: number): string {
  return truncateText(value as string, maxLength).trim();
}

/**
 * Whether the user has to confirm a call: the tool may overwrite or delete, or the server does not
 * say that it does not (Tools › Tool: `destructiveHint` is true by default).
 */
export function mayDestroy({ readOnlyHint, destructiveHint }: ToolAnnotations): boolean {
  return readOnlyHint !== true && destructiveHint !== false;
}

/** The effects of a tool in sentences, as its server describes them. */
export function effectsOf(annotations: ToolAnnotations): string[] {
  return [changeWords(annotations), repeatWords(annotations), reachWords(annotations)].filter(
    (words) => words !== undefined,
  );
}

function changeWords({ readOnlyHint, destructiveHint }: ToolAnnotations): string {
  if (readOnlyHint === true)
    return msg('Only reads: it changes nothing.', { id: 'mcp.tool-form.read-only' });
  if (destructiveHint === true)
    return msg('May overwrite or delete.', { id: 'mcp.tool-form.destructive' });
  return destructiveHint === false
    ? msg('Adds something, but does not overwrite or delete.', { id: 'mcp.tool-form.additive' })
    : msg('The server does not say whether it overwrites or deletes.', {
        id: 'mcp.tool-form.unknown-effect',
      });
}

function repeatWords({ readOnlyHint, idempotentHint }: ToolAnnotations): string | undefined {
  if (readOnlyHint === true || idempotentHint !== true) return undefined;
  return msg('A second call with the same values changes nothing more.', {
    id: 'mcp.tool-form.idempotent',
  });
}

function reachWords({ openWorldHint }: ToolAnnotations): string | undefined {
  if (openWorldHint === undefined) return undefined;
  return openWorldHint
    ? msg('May reach systems outside the server, such as the web.', {
        id: 'mcp.tool-form.open-world',
      })
    : msg('Stays within the server.', { id: 'mcp.tool-form.closed-world' });
}

/** The texts that a tool is found by. */
export function textsOf({ title, name, description }: UsableTool): readonly unknown[] {
  return searchableTexts([title, name, description]);
}

/** A tool as an option of the list. */
export function renderOption({ title, name, description }: UsableTool): TemplateResult {
  const details = translateText(description) || name;
  return html`<span class="texts">
      <span class="one-line" part="title">${translateText(title)}</span>
      <span class="one-line details" part="details">${truncateText(details)}</span>
    </span>
    ${title === name ? nothing : html`<span class="end" dir="ltr">${truncateText(name, 40)}</span>`}`;
}

/**
 * Renders the title and the description of a tool, and its effects, as its server describes them.
 *
 * @param onback Goes back to the list. Default: no button goes back.
 */
export function renderTool(
  { name, title, description, annotations, needsTask }: UsableTool,
  onback: (() => void) | undefined,
): TemplateResult {
  const label = msg('Other tools', { id: 'mcp.tool-form.others' });
  return html`<div class="tool">
    <div class="title-line">
      ${onback ? renderBack({ label, onback }) : nothing}
      <h3 part="heading" tabindex="-1"><bdi>${translateText(title)}</bdi></h3>
    </div>
    ${title === name ? nothing : html`<code class="name">${truncateText(name)}</code>`}
    ${description ? html`<p class="about">${translateText(description)}</p>` : nothing}
    <ul class="effects">
      ${effectsOf(annotations).map((words) => html`<li>${words}</li>`)}
    </ul>
    <p class="facts">
      ${msg('The server says so; nothing ensures that it is true.', {
        id: 'mcp.tool-form.hints',
      })}
    </p>
    ${needsTask ? renderNeedsTask() : nothing}
  </div>`;
}

function renderNeedsTask(): TemplateResult {
  return html`<p class="remark" role="note">
    ${msg('This tool can only run as a task, which this page does not support.', { id: 'mcp.tool-form.needs-task' })}
  </p>`;
}

/** The buttons below the fields. */
export function renderButtons(
  tool: UsableTool,
  form: SchemaForm,
  wasCalled: boolean,
): TemplateResult {
  return html`<div class="buttons">
    <button class="primary call" part="submit">
      ${callText(mayDestroy(tool.annotations), wasCalled)}
    </button>
    ${
      form.hasBothViews
        ? html`<button type="button" class="as-json" @click=${() => form.toggleJson()}>
            ${
              form.isJson
                ? msg('Edit in fields', { id: 'mcp.tool-form.as-fields' })
                : msg('Edit as JSON', { id: 'mcp.tool-form.as-json' })
            }
          </button>`
        : nothing
    }
  </div>`;
}

function callText(isConfirmed: boolean, wasCalled: boolean): string {
  if (isConfirmed) return msg('Continue…', { id: 'mcp.tool-form.continue' });
  return wasCalled
    ? msg('Call the tool again', { id: 'mcp.tool-form.call-again' })
    : msg('Call the tool', { id: 'mcp.tool-form.call' });
}

/** Renders the message that the server does not have a tool; nothing if none is chosen. */
export function renderMissing(tool: string | undefined): TemplateResult | typeof nothing {
  if (!tool) return nothing;
  const name = truncateText(tool);
  return html`<p class="facts">
    ${msg(str`The server does not have this tool: ${name}`, { id: 'mcp.tool-form.missing' })}
  </p>`;
}

/** Renders the number of tools that cannot be chosen, and the reason. */
export function renderLeftOut(unusable: number, needTasks: number): TemplateResult {
  return html`${unusable > 0 ? renderUnusable(formatNumber(unusable)) : nothing}
  ${needTasks > 0 ? renderNeedTasks(formatNumber(needTasks)) : nothing}`;
}

function renderNeedTasks(count: string): TemplateResult {
  return html`<p class="facts" role="note">
    ${msg(str`Tools that can only run as tasks, which this page does not support: ${count}`, { id: 'mcp.tool-form.need-tasks' })}
  </p>`;
}

function renderUnusable(count: string): TemplateResult {
  return html`<p class="facts" role="note">
    ${msg(str`Tools that cannot be shown: ${count}`, { id: 'mcp.tool-form.unusable-tools' })}
  </p>`;
}
