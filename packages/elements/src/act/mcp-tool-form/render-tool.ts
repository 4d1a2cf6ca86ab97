import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { renderBack } from '../../fields/catalog/render-catalog.js';
import type { SchemaForm } from '../../fields/form/schema-form.js';
import { formatNumber } from '../../base/text/format.js';
import { truncateText } from '../../base/text/truncate-text.js';
import { effectsOf, mayDestroy, type UsableTool } from './tool.js';

/** The texts that a tool is found by. */
export function textsOf({ title, name, description }: UsableTool): readonly unknown[] {
  return [title, name, description];
}

/** A tool as an option of the list. */
export function renderOption({ title, name, description }: UsableTool): TemplateResult {
  return html`<span class="texts">
      <span class="one-line" part="title">${title}</span>
      <span class="one-line details" part="details">${truncateText(description || name)}</span>
    </span>
    ${title === name ? nothing : html`<span class="end" dir="ltr">${truncateText(name, 40)}</span>`}`;
}

/**
 * What a tool is, and what the server says that it does.
 *
 * @param onback Goes back to the list. Default: there is no way back.
 */
export function renderTool(
  { name, title, description, annotations, needsTask }: UsableTool,
  onback: (() => void) | undefined,
): TemplateResult {
  const label = msg('Other tools', { id: 'mcp.tool-form.others' });
  return html`<div class="tool">
    <div class="title-line">
      ${onback ? renderBack({ label, onback }) : nothing}
      <h3 part="heading" tabindex="-1"><bdi>${title}</bdi></h3>
    </div>
    ${title === name ? nothing : html`<code class="name">${truncateText(name)}</code>`}
    ${description ? html`<p class="about">${description}</p>` : nothing}
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

/** Says that the server does not have a tool; nothing if none is chosen. */
export function renderMissing(tool: string | undefined): TemplateResult | typeof nothing {
  if (!tool) return nothing;
  const name = truncateText(tool);
  return html`<p class="facts">
    ${msg(str`The server does not have this tool: ${name}`, { id: 'mcp.tool-form.missing' })}
  </p>`;
}

/** Says how many tools are not in the choice, and why. */
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
